import java.util.*;
public class LocalesAndIterators {
    public static void main(String[] a) {
        System.out.println(Locale.getDefault() + " " + Locale.US.getDisplayCountry() + Locale.FRANCE.getLanguage() + Locale.forLanguageTag("pt-BR"));
        System.out.println(Currency.getInstance("USD").getSymbol(Locale.US) + Currency.getInstance(Locale.US));
        System.out.println(new Date(0).getTime() + " " + TimeZone.getTimeZone("GMT+2").getRawOffset());
        System.out.println(new Date(0));
        System.out.println(new StringJoiner(", ","{","}").add("a").add("b").setEmptyValue("E"));
        Iterator<Integer> it = new Iterator<>() {
            int i = 0;
            public boolean hasNext() {
                return i < 3;
            }
            public Integer next() {
                return i++;
            }
        };
        Iterable<Integer> itb = () -> it;
        for (int x : itb) System.out.print(x);
        System.out.println();
        Spliterator<Integer> sp = List.of(1,2,3,4).spliterator();
        Spliterator<Integer> half = sp.trySplit();
        half.forEachRemaining(System.out::print);
        sp.tryAdvance(System.out::print);
        System.out.println(sp.estimateSize());
        Observable0.go();
        AbstractList<Integer> al = new AbstractList<>() {
            public Integer get(int i) {
                return i*i;
            }
            public int size() {
                return 5;
            }
        };
        System.out.println(al + " " + al.indexOf(9) + al.subList(1,3) + al.hashCode() + al.equals(List.of(0,1,4,9,16)));
        Vector<Integer> v = new Vector<>(List.of(1,2));
        v.addElement(3);
        Enumeration<Integer> en = v.elements();
        while (en.hasMoreElements()) System.out.print(en.nextElement());
        System.out.println(v.firstElement() + v.lastElement());
        Hashtable<String,Integer> ht = new Hashtable<>();
        ht.put("a",1);
        try {
            ht.put(null,1);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        System.out.println(ht);
        Map<String,List<Integer>> mm = new TreeMap<>();
        mm.computeIfAbsent("x", k -> new ArrayList<>()).add(1);
        System.out.println(mm);
        System.out.println(Map.entry("k",1) + "" + new AbstractMap.SimpleEntry<>("a",2) + List.copyOf(v) + Map.ofEntries(Map.entry(1,2)) + Set.of(5).contains(5));
    }
    static class Observable0 {
        static void go() {
            java.beans0 b = null;
        }
    }
    static class java {
        static class beans0 {}
    }
}
