import java.util.*;
public class ObjectPatterns {
    interface Stack<T> {
        void push(T t);
        T pop();
        boolean isEmpty();
        static <T> Stack<T> create() {
            return new Stack<>() {
                private final Deque<T> d = new ArrayDeque<>();
                public void push(T t) {
                    d.push(t);
                }
                public T pop() {
                    return d.pop();
                }
                public boolean isEmpty() {
                    return d.isEmpty();
                }
            };
        }
        default T peekOr(T dflt) {
            if (isEmpty()) return dflt;
            T t = pop();
            push(t);
            return t;
        }
    }
    static class Outer {
        private int secret = 42;
        class Inner {
            int reveal() {
                return secret++;
            }
        }
        static class Nested {
            int peek(Outer o) {
                return o.secret;
            }
        }
        Runnable task() {
            class Local implements Runnable {
                public void run() {
                    System.out.println("local " + secret);
                }
            }
            return new Local();
        }
    }
    static class Singleton {
        private static Singleton inst;
        static int created;
        private Singleton() {
            created++;
        }
        static synchronized Singleton get() {
            if (inst == null) inst = new Singleton();
            return inst;
        }
    }
    static class Builder {
        private final StringBuilder sb = new StringBuilder();
        private int n;
        Builder add(String k, Object v) {
            if (n++ > 0) sb.append(", ");
            sb.append(k).append('=').append(v);
            return this;
        }
        String build() {
            return "{" + sb + "}";
        }
    }
    static class Matrix<N extends Number> {
        final List<List<N>> rows = new ArrayList<>();
        @SafeVarargs final Matrix<N> row(N... r) {
            rows.add(List.of(r));
            return this;
        }
        double sum() {
            double s = 0;
            for (List<N> r : rows) for (N n : r) s += n.doubleValue();
            return s;
        }
    }
    static class Counter<K> {
        private final Map<K, Integer> m = new TreeMap<>();
        void add(K k) {
            m.merge(k, 1, Integer::sum);
        }
        Map.Entry<K, Integer> top() {
            return Collections.max(m.entrySet(), Map.Entry.comparingByValue());
        }
    }
    static class Temp {
        private double c;
        Temp(double c) {
            setC(c);
        }
        void setC(double c) {
            if (c < -273.15) throw new IllegalArgumentException("below absolute zero: " + c);
            this.c = c;
        }
        double f() {
            return c * 9 / 5 + 32;
        }
    }
    public static void main(String[] a) {
        Stack<String> s = Stack.create();
        System.out.println(s.peekOr("none"));
        s.push("x");
        s.push("y");
        System.out.println(s.peekOr("none") + s.pop() + s.pop() + s.isEmpty());
        try {
            s.pop();
        } catch (NoSuchElementException e) {
            System.out.println("empty " + e.getMessage());
        }
        Outer o = new Outer();
        Outer.Inner i = o.new Inner();
        i.reveal();
        System.out.println(i.reveal() + " " + new Outer.Nested().peek(o));
        o.task().run();
        System.out.println((Singleton.get() == Singleton.get()) + " " + Singleton.created);
        System.out.println(new Builder().add("a", 1).add("b", List.of(2, 3)).add("c", null).build());
        System.out.println(new Matrix<Integer>().row(1, 2).row(3).sum() + " " + new Matrix<Double>().row(1.5).sum());
        Counter<Character> c = new Counter<>();
        for (char ch : "mississippi".toCharArray()) c.add(ch);
        System.out.println(c.m + " " + c.top());
        try {
            new Temp(-300);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Temp(100).f());
        int[][] grid = new int[3][4];
        grid[1][2] = 5;
        for (int[] r : grid) System.out.println(Arrays.toString(r));
        int[][] t = new int[4][3];
        for (int r = 0; r < 3; r++) for (int k = 0; k < 4; k++) t[k][r] = grid[r][k];
        System.out.println(Arrays.deepToString(t));
        System.out.println(Objects.hash("a", 1, null) + " " + Arrays.hashCode(new Object[]{"a", 1, null}) + " " + List.of("a").hashCode() + " " + "a".hashCode() + new AbstractMap.SimpleEntry<>("k", "v").hashCode() + Optional.of("x").hashCode() + Character.hashCode('c') + Long.hashCode(-1L) + Double.hashCode(-0.0) + Float.hashCode(1.1f) + Boolean.hashCode(false) + Byte.hashCode((byte) -1) + Short.hashCode((short) -1));
    }
}
