import java.util.*;
import java.util.function.*;

/** Generic classes and methods, wildcards, bounded types, erasure. */
public class Generics {
    static class Node<K extends Comparable<K>, V> {
        K key; V value; Node<K, V> left, right;
        Node(K key, V value) { this.key = key; this.value = value; }
    }

    static class Tree<K extends Comparable<K>, V> implements Iterable<K> {
        private Node<K, V> root;
        private int size;

        void put(K key, V value) {
            if (root == null) { root = new Node<>(key, value); size++; return; }
            Node<K, V> n = root;
            while (true) {
                int c = key.compareTo(n.key);
                if (c == 0) { n.value = value; return; }
                Node<K, V> next = c < 0 ? n.left : n.right;
                if (next == null) {
                    if (c < 0) n.left = new Node<>(key, value); else n.right = new Node<>(key, value);
                    size++;
                    return;
                }
                n = next;
            }
        }

        @Override public Iterator<K> iterator() {
            Deque<Node<K, V>> stack = new ArrayDeque<>();
            for (Node<K, V> n = root; n != null; n = n.left) stack.push(n);
            return new Iterator<K>() {
                @Override public boolean hasNext() { return !stack.isEmpty(); }
                @Override public K next() {
                    Node<K, V> top = stack.pop();
                    for (Node<K, V> n = top.right; n != null; n = n.left) stack.push(n);
                    return top.key;
                }
            };
        }
    }

    static double total(Collection<? extends Number> c) { double s = 0; for (Number n : c) s += n.doubleValue(); return s; }
    static void fill(List<? super Integer> l) { for (int i = 0; i < 3; i++) l.add(i); }
    static <T extends Comparable<? super T>> T max(Iterable<T> it) { T best = null; for (T t : it) if (best == null || t.compareTo(best) > 0) best = t; return best; }
    static <A, B, C> Function<A, C> compose(Function<A, B> f, Function<B, C> g) { return a -> g.apply(f.apply(a)); }

    public static void main(String[] args) {
        Tree<String, Integer> tree = new Tree<>();
        for (String s : "m c x a e q z b".split(" ")) tree.put(s, s.hashCode());
        for (String s : tree) System.out.print(s);
        System.out.println(" " + tree.size + " " + max(tree));
        List<Object> objects = new ArrayList<>();
        fill(objects);
        System.out.println(objects + " " + total(List.of(1, 2.5, 3L)));
        System.out.println(compose((String s) -> s.length(), n -> n * 1.5).apply("abcd"));
        List<String> raw = new ArrayList<>();
        ((List) raw).add(5);
        try {
            String s = raw.get(0);
        } catch (ClassCastException e) {
            System.out.println("heap pollution");
        }
        Map<String, ? extends List<? extends Number>> m = Map.of("k", List.of(1, 2));
        System.out.println(m.get("k").get(1));
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
        Optional<? extends CharSequence> o = Optional.of(new StringBuilder("sb"));
        System.out.println(o.get().length());
    }
}
