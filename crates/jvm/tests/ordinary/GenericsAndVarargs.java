import java.util.*;
public class GenericsAndVarargs {
    static <T extends Comparable<? super T>> T max(Collection<? extends T> c) {
        Iterator<? extends T> i = c.iterator();
        T m = i.next();
        while (i.hasNext()) {
            T x = i.next();
            if (x.compareTo(m) > 0) m = x;
        }
        return m;
    }
    static class Box<T> {
        T t;
        Box(T t) {
            this.t = t;
        }
        <R> Box<R> map(java.util.function.Function<? super T, ? extends R> f) {
            return new Box<>(f.apply(t));
        }
    }
    static class Base<T> {
        T id(T t) {
            return t;
        }
    }
    static class Sub extends Base<String> {
        @Override String id(String s) {
            return s + "!";
        }
    }
    static int sum(int... x) {
        int s = 0;
        for (int i : x) s += i;
        return s;
    }
    static String v(Object... o) {
        return o == null ? "null" : o.length + "";
    }
    static String v(String s) {
        return "S";
    }
    static String ov(long x) {
        return "long";
    }
    static String ov(Integer x) {
        return "Integer";
    }
    static String ov(Object x) {
        return "Object";
    }
    static String ov(int... x) {
        return "varargs";
    }
    @SafeVarargs static <T> List<T> list(T... t) {
        return new ArrayList<>(Arrays.asList(t));
    }
    public static void main(String[] a) {
        System.out.println(max(List.of(3,9,2)) + max(List.of("a","c")) + new Box<>(5).map(x -> "v" + x).t);
        Base<String> b = new Sub();
        System.out.println(b.id("q") + sum() + sum(1,2,3) + v() + v((Object[])null) + v("x") + v(1,2) + ov(1) + ov((short)1) + ov('c') + ov(1.0) + ov() + list(1,2));
        try {
            ((Base)new Sub()).id(5);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        class Counter {
            int c;
            class In {
                int get() {
                    return c++;
                }
            }
        }
        Counter k = new Counter();
        Counter.In in = k.new In();
        in.get();
        System.out.println(in.get() + k.c);
        int cap = 5;
        Runnable r = new Runnable() {
            int cap2 = cap;
            {
                System.out.println("init" + cap2);
            }
            public void run() {
                System.out.println(this.getClass().getName() + cap);
            }
        };
        r.run();
        List<Runnable> rs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int j = i;
            rs.add(() -> System.out.print(j));
        }
        rs.forEach(Runnable::run);
        System.out.println();
    }
}
