import java.util.*;

/** An LRU cache, weak maps, default maps, immutable copies. */
public class Caches {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        final int limit;
        Lru(int limit) { super(16, 0.75f, true); this.limit = limit; }
        @Override protected boolean removeEldestEntry(Map.Entry<K, V> eldest) { return size() > limit; }
    }

    public static void main(String[] args) {
        Lru<String, Integer> cache = new Lru<>(3);
        for (String s : "a b c a d b e a".split(" ")) { cache.merge(s, 1, Integer::sum); System.out.print(cache.keySet()); }
        System.out.println(cache);
        NavigableMap<Integer, String> map = new TreeMap<>();
        for (int i = 0; i < 50; i++) map.put(i * 17 % 53, "v" + i);
        System.out.println(map.firstEntry() + " " + map.lastKey() + " " + map.floorKey(20) + " " + map.higherEntry(20) + " " + map.subMap(5, true, 9, true) + " " + map.pollFirstEntry() + map.size());
        for (int i = 0; i < 53; i += 2) map.remove(i);
        System.out.println(map.keySet() + " " + map.descendingMap().headMap(40, false));
        List<Integer> immutable = List.copyOf(new ArrayList<>(List.of(3, 1, 2)));
        System.out.println(immutable + " " + Collections.unmodifiableList(immutable).get(0) + " " + immutable.contains(9));
        WeakHashMap<String, Integer> weak = new WeakHashMap<>();
        weak.put("kept", 1);
        System.out.println(weak + " " + weak.size());
        Iterator<Map.Entry<Integer, String>> it = map.entrySet().iterator();
        int removed = 0;
        while (it.hasNext()) if (it.next().getKey() % 3 == 0) { it.remove(); removed++; }
        System.out.println(removed + " " + map);
        Map<String, Integer> scores = new HashMap<>(Map.of("x", 1));
        System.out.println(scores.getOrDefault("y", -1) + " " + scores.computeIfPresent("x", (k, v) -> v + 10) + " " + scores.compute("z", (k, v) -> v == null ? 0 : v) + " " + scores.replace("x", 5) + " " + scores.remove("x", 6) + " " + new TreeMap<>(scores));
        Queue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        Collections.addAll(queue, 4, 8, 1, 9, 3);
        queue.remove(8);
        System.out.println(queue.peek() + " " + queue.size());
        List<String> rotated = new ArrayList<>(List.of("a", "b", "c", "d"));
        Collections.rotate(rotated, 1);
        System.out.println(rotated + " " + Collections.disjoint(rotated, List.of("z")) + " " + Collections.unmodifiableMap(new TreeMap<>(Map.of(1, 2))));
    }
}
