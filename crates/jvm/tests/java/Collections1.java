import java.util.*;

/** Lists, sets, maps and queues of the library. */
public class Collections1 {
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 20; i++) list.add(i * i % 17);
        list.remove(3);
        list.remove(Integer.valueOf(16));
        list.add(2, 99);
        System.out.println(list + " " + list.indexOf(99) + " " + list.contains(4) + " " + list.subList(2, 6));
        Iterator<Integer> it = list.iterator();
        while (it.hasNext()) if (it.next() % 2 == 0) it.remove();
        System.out.println(list);
        LinkedList<String> linked = new LinkedList<>(List.of("b", "c"));
        linked.addFirst("a");
        linked.addLast("d");
        linked.removeLast();
        System.out.println(linked + " " + linked.peekFirst() + " " + linked.getLast());
        Map<String, Integer> counts = new TreeMap<>();
        for (String w : "to be or not to be that is the question".split(" ")) counts.merge(w, 1, Integer::sum);
        System.out.println(counts);
        Map<String, List<String>> groups = new HashMap<>();
        for (String w : counts.keySet()) groups.computeIfAbsent(w.substring(0, 1), k -> new ArrayList<>()).add(w);
        System.out.println(groups);
        Set<Integer> hash = new HashSet<>(Arrays.asList(5, 100, 17, 33, 64, 1024, -1));
        System.out.println(hash);
        Set<String> order = new LinkedHashSet<>(Arrays.asList("z", "a", "m", "a"));
        System.out.println(order);
        TreeSet<Integer> tree = new TreeSet<>(hash);
        System.out.println(tree.floor(50) + " " + tree.ceiling(50) + " " + tree.headSet(33) + " " + tree.descendingSet());
        Deque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < 5; i++) { deque.push(i); deque.offerLast(10 + i); }
        System.out.println(deque + " " + deque.pop() + " " + deque.pollLast());
        System.out.println(Collections.max(list) + " " + Collections.min(list) + " " + Collections.frequency(list, 13));
        List<Integer> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        Collections.swap(copy, 0, 1);
        System.out.println(copy + " " + Collections.nCopies(3, "x") + " " + Collections.emptyList());
        List<Integer> shuffled = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
        Collections.shuffle(shuffled, new Random(42));
        System.out.println(shuffled);
        Map<Integer, String> linkedMap = new LinkedHashMap<>();
        linkedMap.put(3, "three");
        linkedMap.put(1, "one");
        linkedMap.putIfAbsent(3, "drei");
        linkedMap.replaceAll((k, v) -> v + k);
        for (Map.Entry<Integer, String> e : linkedMap.entrySet()) System.out.print(e.getKey() + "=" + e.getValue() + ";");
        System.out.println();
        try {
            for (Integer i : list) if (i == 13) list.add(1);
        } catch (ConcurrentModificationException e) {
            System.out.println("modified " + e.getMessage());
        }
        try {
            List.of(1, 2).add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable " + e.getMessage());
        }
        BitSet bits = new BitSet();
        for (int i = 0; i < 70; i += 7) bits.set(i);
        System.out.println(bits + " " + bits.cardinality());
        Vector<Integer> vector = new Vector<>(List.of(1, 2, 3));
        Stack<String> stack = new Stack<>();
        stack.push("x");
        System.out.println(vector.elementAt(1) + stack.peek() + new Hashtable<>(Map.of("k", "v")));
    }
}
