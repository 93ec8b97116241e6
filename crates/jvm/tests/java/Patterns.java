import java.util.*;

/** Pattern matching with instanceof, sealed types, local records and enums. */
public class Patterns {
    sealed interface Shape permits Circle, Rectangle, Group {}
    record Circle(double radius) implements Shape {}
    record Rectangle(double width, double height) implements Shape {}
    record Group(List<Shape> members) implements Shape {}

    static double area(Shape s) {
        if (s instanceof Circle c) return Math.PI * c.radius() * c.radius();
        if (s instanceof Rectangle r && r.width() > 0) return r.width() * r.height();
        if (!(s instanceof Group g)) return -1;
        double sum = 0;
        for (Shape m : g.members()) sum += area(m);
        return sum;
    }

    static String kind(Object o) {
        if (o instanceof Integer i && i > 10) return "big " + i;
        else if (o instanceof Integer i) return "int " + (i + 1);
        else if (o instanceof String s && !s.isEmpty()) return "text " + s.charAt(0);
        else if (o instanceof int[] a) return "ints " + a.length;
        else if (o instanceof List<?> l) return "list " + l.size();
        return o == null ? "null" : o.getClass().getSimpleName();
    }

    public static void main(String[] args) {
        Shape all = new Group(List.of(new Circle(1), new Rectangle(2, 3), new Group(List.of()), new Rectangle(-1, 5)));
        System.out.println(area(all) + " " + all);
        for (Object o : new Object[] {5, 50, "text", "", new int[3], List.of(1), null, 'c', 1L, new Circle(2)}) System.out.println(kind(o));
        record Count(String word, int times) implements Comparable<Count> {
            public int compareTo(Count o) { return times != o.times ? o.times - times : word.compareTo(o.word); }
        }
        Map<String, Integer> m = new HashMap<>();
        for (String w : "b a b c a b".split(" ")) m.merge(w, 1, Integer::sum);
        TreeSet<Count> top = new TreeSet<>();
        m.forEach((k, v) -> top.add(new Count(k, v)));
        System.out.println(top);
        var list = new ArrayList<Map<String, ? super Integer>>();
        list.add(Map.of("k", 1));
        for (var entry : list) System.out.println(entry);
        int day = 3;
        String name = switch (day) { case 1, 7 -> "weekend"; case 2, 3, 4, 5, 6 -> { String t = "week"; yield t + "day"; } default -> throw new IllegalStateException(); };
        System.out.println(name);
    }
}
