import java.util.*;

/** Inner, local, anonymous and nested classes, with access to private members and captured variables. */
public class InnerClasses {
    private int secret = 7;
    private static int count;

    class Inner {
        int own = secret + 1;
        class Deeper { int sum() { return own + secret; } }
        void change() { secret++; InnerClasses.this.secret *= 2; }
    }

    static class Nested {
        private final int id = ++count;
        private static String hidden() { return "hidden"; }
    }

    interface Shape { double area(); default String show() { return getClass().getSimpleName() + " " + area(); } }

    Iterator<Integer> countdown(int from) {
        return new Iterator<>() {
            int next = from;
            @Override public boolean hasNext() { return next > 0; }
            @Override public Integer next() { return next--; }
        };
    }

    static abstract class Base {
        Base() { System.out.println("base " + describe()); }
        abstract String describe();
    }

    static class Derived extends Base {
        String text = "set";
        final String constant = "constant";
        { System.out.println("initializer " + text); }
        Derived() { super(); System.out.println("derived " + text); }
        @Override String describe() { return text + constant; }
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner inner = outer.new Inner();
        inner.change();
        System.out.println(inner.own + " " + outer.secret + " " + inner.new Deeper().sum());
        System.out.println(new Nested().id + new Nested().id + Nested.hidden());
        int local = args.length + 5;
        class Circle implements Shape {
            final double r;
            Circle(double r) { this.r = r; }
            @Override public double area() { return r * r * 3 + local; }
        }
        System.out.println(new Circle(2).show());
        Shape anonymous = new Shape() { @Override public double area() { return local; } };
        System.out.println(anonymous.show() + "|" + anonymous.getClass().getName());
        for (Iterator<Integer> it = outer.countdown(3); it.hasNext();) System.out.print(it.next());
        System.out.println();
        new Derived();
        System.out.println(Inner.Deeper.class.getName() + " " + Inner.Deeper.class.getSimpleName() + " " + int[][].class.getSimpleName() + " " + Map.Entry.class.getName());
    }
}
