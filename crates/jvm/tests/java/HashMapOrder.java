import java.util.*;

/** The iteration order of hash tables follows the JDK's own algorithm, resizing and tree bins included. */
public class HashMapOrder {
    static final class Key implements Comparable<Key> {
        final int value;
        Key(int value) { this.value = value; }
        @Override public int hashCode() { return value % 3; }
        @Override public boolean equals(Object o) { return o instanceof Key k && k.value == value; }
        @Override public int compareTo(Key o) { return Integer.compare(value, o.value); }
        @Override public String toString() { return "k" + value; }
    }

    public static void main(String[] args) {
        Map<String, Integer> map = new HashMap<>();
        for (int i = 0; i < 100; i++) map.put("key" + i * 37, i);
        System.out.println(map);
        for (int i = 0; i < 100; i += 2) map.remove("key" + i * 37);
        System.out.println(map.keySet());
        Map<Key, Integer> bad = new HashMap<>();
        for (int i = 0; i < 60; i++) bad.put(new Key(i), i);
        System.out.println(bad.get(new Key(59)) + " " + bad.size() + " " + bad);
        Map<Object, String> mixed = new HashMap<>();
        mixed.put(1, "int");
        mixed.put(1L, "long");
        mixed.put('c', "char");
        mixed.put("s", "string");
        mixed.put(2.5, "double");
        mixed.put(true, "boolean");
        mixed.put(null, "null");
        mixed.put(Arrays.asList(1, 2), "list");
        System.out.println(mixed);
        Set<Long> set = new HashSet<>();
        for (long i = 1; i < 1L << 40; i *= 3) set.add(i);
        System.out.println(set);
    }
}
