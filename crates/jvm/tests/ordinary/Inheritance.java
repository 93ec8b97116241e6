import java.util.*;
import java.util.function.*;
public class Inheritance {
    static abstract class Shape {
        abstract double area();
        String describe() {
            return getClass().getSimpleName() + String.format("[%.2f]", area());
        }
    }
    static class Circle extends Shape {
        final double r;
        Circle(double r) {
            this.r = r;
        }
        double area() {
            return Math.PI * r * r;
        }
    }
    static class Square extends Shape {
        final double s;
        Square(double s) {
            this.s = s;
        }
        double area() {
            return s * s;
        }
        @Override String describe() {
            return "Sq:" + super.describe();
        }
    }
    interface Walker {
        default String move() {
            return "walk";
        }
    }
    interface Swimmer {
        default String move() {
            return "swim";
        }
    }
    static class Duck implements Walker, Swimmer {
        public String move() {
            return Walker.super.move() + "+" + Swimmer.super.move();
        }
    }
    static class Parent {
        static String who() {
            return "P";
        }
        String name = "parent";
        String getName() {
            return name;
        }
        Object self() {
            return this;
        }
        protected void m(Object o) {
            System.out.println("obj");
        }
        void m(String s) {
            System.out.println("str");
        }
        void m(Integer i) {
            System.out.println("int");
        }
    }
    static class Child extends Parent {
        static String who() {
            return "C";
        }
        String name = "child";
        @Override Child self() {
            return this;
        }
        @Override protected void m(Object o) {
            System.out.println("child obj");
        }
        String both() {
            return name + super.name + ((Parent) this).name + getName();
        }
    }
    static class Node<T extends Comparable<T>> {
        T v;
        Node<T> l, r;
        Node(T v) {
            this.v = v;
        }
        void add(T x) {
            if (x.compareTo(v) < 0) {
                if (l == null) l = new Node<>(x);
                else l.add(x);
            } else {
                if (r == null) r = new Node<>(x);
                else r.add(x);
            }
        }
        void walk(Consumer<? super T> c) {
            if (l != null) l.walk(c);
            c.accept(v);
            if (r != null) r.walk(c);
        }
        int depth() {
            return 1 + Math.max(l == null ? 0 : l.depth(), r == null ? 0 : r.depth());
        }
    }
    static class Event<T> {
        final List<Consumer<T>> hs = new ArrayList<>();
        Runnable on(Consumer<T> c) {
            hs.add(c);
            return () -> hs.remove(c);
        }
        void fire(T t) {
            new ArrayList<>(hs).forEach(h -> h.accept(t));
        }
    }
    static <T, R> Function<T, R> memo(Function<T, R> f) {
        Map<T, R> m = new HashMap<>();
        return t -> m.computeIfAbsent(t, f);
    }
    public static void main(String[] x) {
        for (Shape s : new Shape[]{new Circle(1), new Square(2)}) System.out.println(s.describe());
        System.out.println(new Duck().move());
        Parent p = new Child();
        System.out.println(Parent.who() + Child.who() + p.name + p.getName() + ((Child) p).both() + (p.self() == p));
        p.m("s");
        p.m(1);
        p.m((Object) "s");
        p.m(2.0);
        Object o = "dyn";
        p.m(o);
        Node<Integer> n = new Node<>(50);
        for (int i : new int[]{30, 70, 20, 40, 60, 80, 10}) n.add(i);
        List<Integer> out = new ArrayList<>();
        n.walk(out::add);
        System.out.println(out + " " + n.depth());
        Event<String> e = new Event<>();
        Runnable off = e.on(s -> System.out.println("1:" + s));
        e.on(s -> System.out.println("2:" + s));
        e.fire("a");
        off.run();
        e.fire("b");
        int[] c = {0};
        Function<Integer, Integer> sq = memo(i -> { c[0]++; return i * i; });
        System.out.println(sq.apply(4) + sq.apply(4) + " " + c[0]);
        System.out.println(Optional.of(5).map(i -> i > 3 ? null : i).isPresent());
        Iterator<Integer> gen = new Iterator<>() {
            int a = 0, b = 1;
            public boolean hasNext() {
                return a < 50;
            }
            public Integer next() {
                int r = a;
                a = b;
                b += r;
                return r;
            }
        };
        StringBuilder sb = new StringBuilder();
        while (gen.hasNext()) sb.append(gen.next()).append(' ');
        System.out.println(sb.toString().trim());
        try {
            gen.remove();
        } catch (UnsupportedOperationException ex) {
            System.out.println("uoe " + ex.getMessage());
        }
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        System.out.println(add.andThen(r -> "r" + r).apply(1, 2));
        Supplier<Runnable> sr = () -> () -> System.out.println("nested run");
        sr.get().run();
    }
}
