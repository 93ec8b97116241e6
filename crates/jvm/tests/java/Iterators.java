import java.util.*;

/** Iterators, list iterators, spliterators and enhanced for loops. */
public class Iterators {
    static class Range implements Iterable<Integer> {
        final int from, to;
        Range(int from, int to) { this.from = from; this.to = to; }
        @Override public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int at = from;
                @Override public boolean hasNext() { return at < to; }
                @Override public Integer next() { if (!hasNext()) throw new NoSuchElementException("at " + at); return at++; }
            };
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i : new Range(1, 5)) for (int j : new Range(0, i)) sum += i * j;
        System.out.println(sum);
        ListIterator<String> it = new ArrayList<>(List.of("a", "b", "c")).listIterator();
        StringBuilder s = new StringBuilder();
        while (it.hasNext()) { s.append(it.nextIndex()); String x = it.next(); if (x.equals("b")) { it.set("B"); it.add("b2"); } }
        while (it.hasPrevious()) s.append(it.previous());
        System.out.println(s);
        try {
            new Range(0, 0).iterator().next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            List.of(1).iterator().remove();
        } catch (UnsupportedOperationException e) {
            System.out.println("no remove");
        }
        Map<Integer, Integer> m = new TreeMap<>(Map.of(1, 10, 2, 20, 3, 30));
        m.entrySet().removeIf(e -> e.getKey() == 2);
        m.values().forEach(v -> System.out.print(v + " "));
        System.out.println(m);
        new Range(3, 6).forEach(n -> System.out.print(n));
        Spliterator<Integer> sp = new ArrayList<>(List.of(1, 2, 3, 4)).spliterator();
        Spliterator<Integer> half = sp.trySplit();
        half.forEachRemaining(n -> System.out.print("<" + n));
        sp.tryAdvance(n -> System.out.print(">" + n));
        System.out.println(sp.estimateSize());
        int[][] grid = {{1, 2}, {3}, {}};
        for (int[] row : grid) { for (int x : row) System.out.print(x); System.out.print("/"); }
        System.out.println();
        Enumeration<Integer> e = Collections.enumeration(List.of(7, 8));
        while (e.hasMoreElements()) System.out.print(e.nextElement());
        Scanner scanner = new Scanner("12 apples 3.5");
        System.out.println(scanner.nextInt() + scanner.next() + scanner.nextDouble());
    }
}
