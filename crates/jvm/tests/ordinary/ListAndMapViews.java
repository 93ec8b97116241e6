import java.util.*;
public class ListAndMapViews {
    public static void main(String[] args) {
        Iterator<Integer> it = List.of(1,2,3).iterator();
        int s = 0;
        while (it.hasNext()) s += it.next();
        System.out.println(s);
        List<String> names = new LinkedList<>();
        names.add("b");
        names.add(0,"a");
        names.addAll(List.of("c","d"));
        names.remove("b");
        names.remove(0);
        names.set(0,"z");
        System.out.println(names + "" + names.size() + names.isEmpty());
        List<Integer> nums = new ArrayList<>();
        for (int i = 0; i < 10; i++) nums.add(i*i);
        nums.remove(Integer.valueOf(16));
        nums.remove(0);
        System.out.println(nums + " " + nums.subList(2,5) + nums.lastIndexOf(81));
        nums.subList(0,3).clear();
        System.out.println(nums);
        try {
            nums.add(100, 5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Map<String,Map<String,Integer>> nested = new TreeMap<>();
        nested.computeIfAbsent("x", k -> new TreeMap<>()).put("y", 1);
        nested.get("x").merge("y", 5, Integer::sum);
        System.out.println(nested);
        Map<Integer,String> hm = new HashMap<>();
        for (int i = 20; i > 0; i -= 3) hm.put(i, "v" + i);
        System.out.println(hm);
        hm.entrySet().removeIf(e -> e.getKey() % 2 == 0);
        hm.replaceAll((k,v) -> v.toUpperCase());
        System.out.println(hm + " " + hm.containsValue("V5") + hm.keySet().stream().mapToInt(x->x).sum());
        Set<String> set = new HashSet<>(Arrays.asList("banana","apple","cherry","date","elderberry","fig"));
        System.out.println(set);
        NavigableMap<Integer,String> nm = new TreeMap<>(hm);
        System.out.println(nm.lastEntry() + "" + nm.headMap(10,true) + nm.descendingKeySet() + nm.higherKey(11));
        Queue<String> q = new LinkedList<>();
        q.offer("a");
        q.add("b");
        System.out.println(q.peek() + q.poll() + q.remove() + q.poll());
        try {
            q.remove();
        } catch (NoSuchElementException e) {
            System.out.println("nse " + e.getMessage());
        }
        try {
            q.element();
        } catch (NoSuchElementException e) {
            System.out.println("nse2");
        }
        System.out.println(Collections.unmodifiableMap(hm).getClass().getSimpleName() + Collections.synchronizedList(nums) + Collections.checkedList(new ArrayList<>(), Integer.class));
        Integer[] arr = {5,3,1};
        List<Integer> view = Arrays.asList(arr);
        view.set(0, 99);
        System.out.println(arr[0] + "" + view);
        try {
            view.add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("uoe " + e.getMessage());
        }
        Object[] mixed = {1, "two", 3.0, 'c', null, new int[]{1}.length, List.of()};
        System.out.println(Arrays.toString(mixed));
        System.out.println(Arrays.equals(new int[][]{{1}}, new int[][]{{1}}) + " " + Arrays.deepEquals(new int[][]{{1}}, new int[][]{{1}}));
        String[] words = "the quick brown fox".split(" ");
        Arrays.sort(words, (x,y) -> y.length() != x.length() ? y.length()-x.length() : x.compareTo(y));
        System.out.println(String.join(",", words));
        long[] la = new long[5];
        Arrays.fill(la,1,3,7L);
        System.out.println(Arrays.toString(la) + Arrays.stream(la).max().getAsLong());
        char[] ca = {'d','a'};
        Arrays.sort(ca);
        System.out.println(ca);
        System.out.println(Arrays.asList(1,2).hashCode() + " " + List.of(1,2).equals(Arrays.asList(1,2)) + Map.of(1,2).hashCode() + Set.of(1).hashCode());
    }
}
