import java.util.*;

/** Records with all kinds of components. */
public class Records {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);
        Point { if (x < -100) throw new IllegalArgumentException("x " + x); }
        Point(int both) { this(both, both); }
        double distance(Point o) { return Math.hypot(x - o.x, y - o.y()); }
    }

    record All(boolean z, byte b, char c, short s, int i, long j, float f, double d, String t, int[] a, List<?> l) {}
    record Empty() {}
    record Pair<A, B>(A first, B second) implements Comparable<Pair<A, B>> {
        @Override public int compareTo(Pair<A, B> o) { return toString().compareTo(o.toString()); }
        @Override public String toString() { return "<" + first + "|" + second + ">"; }
    }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.equals(new Point(3, 4)) + " " + p.hashCode() + " " + p.distance(Point.ORIGIN) + new Point(7));
        int[] array = {};
        All one = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, "seven", null, List.of(8));
        All two = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, "seven", null, List.of(8));
        System.out.println(one + " " + one.equals(two) + " " + (one.hashCode() == two.hashCode()) + " " + one.hashCode());
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        System.out.println(new Pair<>("a", 1) + " " + new Pair<>("a", 1).equals(new Pair<>("a", 2)) + " " + new Pair<>(null, null).hashCode());
        record Local(double nan, float zero) {}
        System.out.println(new Local(Double.NaN, 0f).equals(new Local(Double.NaN, -0f)) + " " + new Local(Double.NaN, 0f).equals(new Local(Double.NaN, 0f)));
        Set<Point> set = new HashSet<>(List.of(new Point(1, 2), new Point(2, 1)));
        System.out.println(set.contains(new Point(2, 1)) + " " + set.size());
        try {
            new Point(-101, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Object o = p;
        if (o instanceof Point q && q.x() == 3) System.out.println("pattern " + q.y());
        TreeSet<Pair<String, Integer>> tree = new TreeSet<>();
        for (int i = 5; i > 0; i--) tree.add(new Pair<>("p" + i % 3, i));
        System.out.println(tree);
    }
}
