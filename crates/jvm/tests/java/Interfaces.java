/** Interfaces: default, static and private methods, diamonds, generic bridges. */
public class Interfaces {
    interface A { default String who() { return "A"; } String name(); }
    interface B extends A { default String who() { return "B" + A.super.who(); } }
    interface C extends A { default String who() { return "C"; } }
    static class D implements B, C {
        @Override public String who() { return B.super.who() + C.super.who(); }
        @Override public String name() { return "D"; }
    }
    static class E implements B { public String name() { return "E"; } }
    static class F extends E implements A {}

    interface Counter {
        static Counter create() { return new Counter() { int n; public int next() { return step(n++); } }; }
        int next();
        private int scaled(int n) { return n * factor(); }
        default int step(int n) { return scaled(n); }
        default int factor() { return 3; }
    }

    interface Converter<S, T> { T convert(S s); }
    static class Parse implements Converter<String, Integer> { @Override public Integer convert(String s) { return Integer.parseInt(s); } }

    static abstract class Shape implements Comparable<Shape> {
        abstract double area();
        @Override public int compareTo(Shape o) { return Double.compare(area(), o.area()); }
    }
    static class Square extends Shape { final double side; Square(double s) { side = s; } double area() { return side * side; } }
    static class Covariant extends Square { Covariant() { super(2); } Covariant self() { return this; } }

    interface Constants { int X = init("X"); int Y = 5; static int init(String s) { System.out.println("init " + s); return 9; } }
    static class UsesConstants implements Constants {}

    sealed interface Expr permits Num, Add {}
    record Num(int value) implements Expr {}
    record Add(Expr left, Expr right) implements Expr {}
    static int eval(Expr e) {
        if (e instanceof Num n) return n.value();
        if (e instanceof Add a) return eval(a.left()) + eval(a.right());
        throw new AssertionError();
    }

    public static void main(String[] args) {
        System.out.println(new D().who() + new E().who() + new F().who() + new F().name());
        A a = new D();
        System.out.println(a.who() + a.name());
        Counter c = Counter.create();
        System.out.println(c.next() + c.next() + c.next());
        Converter<String, Integer> p = new Parse();
        System.out.println(p.convert("41") + 1);
        Shape[] shapes = {new Square(3), new Square(1), new Covariant().self()};
        java.util.Arrays.sort(shapes);
        for (Shape s : shapes) System.out.print(s.area() + " ");
        System.out.println();
        new UsesConstants();
        System.out.println(UsesConstants.Y);
        System.out.println(UsesConstants.X);
        System.out.println(eval(new Add(new Num(3), new Add(new Num(4), new Num(5)))));
        System.out.println(a instanceof B ? "is B" : "not B");
        Object o = shapes;
        System.out.println((o instanceof Comparable[]) + " " + (o instanceof Shape[]) + " " + (o instanceof Square[]) + " " + (new int[0] instanceof Object));
    }
}
