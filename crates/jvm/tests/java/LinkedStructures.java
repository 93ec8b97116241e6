import java.util.*;
import java.util.function.*;

/** Hand-made lists, trees, heaps, hash tables and tries. */
public class LinkedStructures {
    static class SinglyLinked<T> implements Iterable<T> {
        private class Node { T item; Node next; Node(T item, Node next) { this.item = item; this.next = next; } }
        private Node head;
        private int size;
        void push(T item) { head = new Node(item, head); size++; }
        T pop() { if (head == null) throw new NoSuchElementException("empty"); T t = head.item; head = head.next; size--; return t; }
        void reverse() { Node r = null; while (head != null) { Node n = head.next; head.next = r; r = head; head = n; } head = r; }
        public Iterator<T> iterator() {
            return new Iterator<T>() {
                Node at = head;
                public boolean hasNext() { return at != null; }
                public T next() { T t = at.item; at = at.next; return t; }
            };
        }
    }

    static class Avl {
        int key, height = 1;
        Avl left, right;
        Avl(int key) { this.key = key; }
        static int h(Avl t) { return t == null ? 0 : t.height; }
        static Avl rotate(Avl t, boolean toRight) {
            Avl c = toRight ? t.left : t.right;
            if (toRight) { t.left = c.right; c.right = t; } else { t.right = c.left; c.left = t; }
            t.height = 1 + Math.max(h(t.left), h(t.right));
            c.height = 1 + Math.max(h(c.left), h(c.right));
            return c;
        }
        static Avl insert(Avl t, int key) {
            if (t == null) return new Avl(key);
            if (key < t.key) t.left = insert(t.left, key); else if (key > t.key) t.right = insert(t.right, key); else return t;
            t.height = 1 + Math.max(h(t.left), h(t.right));
            int balance = h(t.left) - h(t.right);
            if (balance > 1) { if (key > t.left.key) t.left = rotate(t.left, false); return rotate(t, true); }
            if (balance < -1) { if (key < t.right.key) t.right = rotate(t.right, true); return rotate(t, false); }
            return t;
        }
        static void walk(Avl t, IntConsumer f) { if (t != null) { walk(t.left, f); f.accept(t.key); walk(t.right, f); } }
    }

    static class Trie {
        final Map<Character, Trie> children = new TreeMap<>();
        boolean end;
        void add(String s) { Trie t = this; for (char c : s.toCharArray()) t = t.children.computeIfAbsent(c, k -> new Trie()); t.end = true; }
        void list(String prefix, List<String> out) { if (end) out.add(prefix); children.forEach((c, t) -> t.list(prefix + c, out)); }
    }

    static class Heap {
        int[] data = new int[2];
        int size;
        void add(int x) {
            if (size == data.length) data = Arrays.copyOf(data, size * 2);
            int i = size++;
            while (i > 0 && data[(i - 1) / 2] > x) { data[i] = data[(i - 1) / 2]; i = (i - 1) / 2; }
            data[i] = x;
        }
        int remove() {
            int top = data[0], x = data[--size], i = 0;
            while (2 * i + 1 < size) {
                int c = 2 * i + 1;
                if (c + 1 < size && data[c + 1] < data[c]) c++;
                if (data[c] >= x) break;
                data[i] = data[c];
                i = c;
            }
            data[i] = x;
            return top;
        }
    }

    public static void main(String[] args) {
        SinglyLinked<String> list = new SinglyLinked<>();
        for (String s : "a b c d".split(" ")) list.push(s);
        list.reverse();
        for (String s : list) System.out.print(s);
        System.out.println(list.pop() + list.size);
        try {
            new SinglyLinked<Integer>().pop();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        Avl tree = null;
        for (int i = 0; i < 100; i++) tree = Avl.insert(tree, i * 37 % 101);
        int[] sum = new int[2];
        Avl.walk(tree, k -> { sum[0] += k; sum[1]++; });
        System.out.println(tree.height + " " + tree.key + " " + sum[0] + " " + sum[1]);
        Trie trie = new Trie();
        for (String s : "to tea ten in inn i".split(" ")) trie.add(s);
        List<String> words = new ArrayList<>();
        trie.list("", words);
        System.out.println(words);
        Heap heap = new Heap();
        for (int i = 0; i < 20; i++) heap.add(i * 13 % 23);
        StringBuilder out = new StringBuilder();
        while (heap.size > 0) out.append(heap.remove()).append(' ');
        System.out.println(out);
    }
}
