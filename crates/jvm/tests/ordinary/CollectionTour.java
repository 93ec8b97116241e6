import java.util.*;
public class CollectionTour {
    public static void main(String[] a) {
        List<Integer> l = new ArrayList<>(Arrays.asList(5,3,8,1,9,2));
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l,8) + Collections.binarySearch(l,4) + Collections.max(l) + Collections.min(l) + Collections.frequency(l,3));
        Collections.reverse(l);
        Collections.swap(l,0,1);
        Collections.rotate(l,2);
        System.out.println(l + " " + Collections.nCopies(3,"x") + Collections.emptyList() + Collections.singletonList(1) + Collections.disjoint(l, List.of(100)));
        try {
            Collections.unmodifiableList(l).add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        try {
            List.of(1).set(0,2);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        try {
            List.of((Object)null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            Map.of(1,2,1,3);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            for (Integer i : l) if (i == 3) l.remove(i);
        } catch (ConcurrentModificationException e) {
            System.out.println(e);
        }
        l.removeIf(x -> x % 2 == 0);
        l.replaceAll(x -> x * 10);
        System.out.println(l + " " + l.indexOf(30) + l.contains(90) + l.subList(0,2));
        int[] arr = {3,1,2};
        Arrays.sort(arr);
        System.out.println(Arrays.toString(arr) + Arrays.stream(arr).sum() + Arrays.binarySearch(arr,2) + Arrays.equals(arr,new int[]{1,2,3}) + Arrays.hashCode(arr) + Arrays.deepToString(new int[][]{{1},{2,3}}) + Arrays.toString(Arrays.copyOfRange(arr,1,5)) + Arrays.mismatch(arr,new int[]{1,9}) + Arrays.compare(arr,new int[]{1,2}));
        Integer[] bx = {3,1,2};
        Arrays.sort(bx, Comparator.reverseOrder());
        System.out.println(Arrays.asList(bx));
        Arrays.fill(bx, 7);
        Arrays.setAll(bx, i -> i*i);
        System.out.println(Arrays.toString(bx));
        Arrays.parallelPrefix(arr, Integer::sum);
        System.out.println(Arrays.toString(arr));
        TreeMap<String,Integer> t = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        t.put("b",1);
        t.put("A",2);
        t.put("c",3);
        System.out.println(t + t.firstKey() + t.headMap("b") + t.tailMap("b",false) + t.ceilingKey("aa") + t.floorEntry("bb") + t.descendingMap() + t.pollFirstEntry());
        PriorityQueue<int[]> pq = new PriorityQueue<>((x,y) -> x[1]-y[1]);
        pq.add(new int[]{1,5});
        pq.add(new int[]{2,1});
        pq.offer(new int[]{3,3});
        while(!pq.isEmpty()) System.out.print(pq.poll()[0]);
        System.out.println();
        BitSet bs = new BitSet();
        bs.set(1);
        bs.set(5,8);
        System.out.println(bs + " " + bs.cardinality() + bs.nextClearBit(5) + bs.length());
        BitSet o = new BitSet();
        o.set(6);
        bs.andNot(o);
        System.out.println(bs + Arrays.toString(bs.toLongArray()));
        LinkedHashMap<Integer,String> lru = new LinkedHashMap<>(4,.75f,true){
            protected boolean removeEldestEntry(Map.Entry<Integer,String> e){
                return size()>3;
            }
        };
        for(int i=0;i<4;i++) lru.put(i,"v"+i);
        lru.get(1);
        lru.put(9,"z");
        System.out.println(lru);
        Deque<Integer> dq = new ArrayDeque<>();
        dq.push(1);
        dq.addLast(2);
        dq.offerFirst(0);
        System.out.println(dq + " " + dq.peekLast() + dq.pop() + dq.pollLast());
        Stack<Integer> s = new Stack<>();
        s.push(1);
        s.push(2);
        System.out.println(s + "" + s.peek() + s.search(1));
        try {
            new Stack<>().pop();
        } catch (EmptyStackException e) {
            System.out.println(e);
        }
        Map<String,Integer> h = new HashMap<>();
        for (String w : "a b a c b a".split(" ")) h.merge(w,1,Integer::sum);
        h.computeIfAbsent("z",k->26);
        h.computeIfPresent("a",(k,v)->null);
        h.putIfAbsent("b",0);
        System.out.println(h + " " + h.getOrDefault("q",-1) + h.entrySet() + h.keySet() + h.values());
        TreeSet<Integer> ts = new TreeSet<>(List.of(5,1,9));
        System.out.println(ts + " " + ts.higher(5) + ts.lower(5) + ts.descendingSet() + ts.subSet(1,6) + ts.pollLast());
        Set<Integer> hs = new HashSet<>(List.of(1,2,3));
        hs.retainAll(List.of(2,3,4));
        System.out.println(hs + " " + new LinkedHashSet<>(List.of(3,1,2)));
        ListIterator<Integer> it = new LinkedList<>(List.of(1,2,3)).listIterator();
        it.next();
        it.set(9);
        it.add(8);
        while(it.hasPrevious()) System.out.print(it.previous());
        System.out.println();
        IdentityHashMap<String,Integer> ih = new IdentityHashMap<>();
        ih.put(new String("x"),1);
        ih.put(new String("x"),2);
        System.out.println(ih.size());
        WeakHashMap<Object,Integer> wh = new WeakHashMap<>();
        wh.put("k",1);
        System.out.println(wh);
    }
}
