import java.util.function.*;
public class LambdasAndCaptures {
    static <A,B,C> Function<A,Function<B,C>> curry(BiFunction<A,B,C> f) {
        return x -> y -> f.apply(x,y);
    }
    static Supplier<Integer> counter() {
        int[] c = {0};
        return () -> ++c[0];
    }
    class Inner {
        int v = outer * 2;
        class Deep {
            int w = v + outer;
        }
    }
    int outer = 5;
    LambdasAndCaptures self() {
        return this;
    }
    interface Shape {
        double area();
        static Shape of(double r) {
            return () -> r*r;
        }
    }
    static String desc(Object o) {
        if (!(o instanceof String s)) return "not";
        return s.length() + "";
    }
    public static void main(String[] a) throws Exception {
        System.out.println(curry(Integer::sum).apply(3).apply(4));
        Supplier<Integer> c = counter();
        c.get();
        System.out.println(c.get());
        LambdasAndCaptures o = new LambdasAndCaptures();
        System.out.println(o.new Inner().new Deep().w);
        System.out.println(Shape.of(3).area() + desc(1) + desc("abc"));
        Function<Integer,Function<Integer,Integer>> add = x -> y -> x + y;
        System.out.println(add.apply(1).apply(2));
        BiFunction<LambdasAndCaptures,Integer,String> m = LambdasAndCaptures::inst;
        System.out.println(m.apply(o,3));
        Supplier<LambdasAndCaptures> sup = o::self;
        System.out.println(sup.get() == o);
        Runnable r = (Runnable & java.io.Serializable) () -> System.out.println("ser");
        r.run();
        System.out.println(r instanceof java.io.Serializable);
        Callable0<String> cc = () -> {
            if (a.length > 5) throw new Exception();
            return "called";
        };
        System.out.println(cc.call());
        Object l = (IntPredicate) x -> x > 3;
        System.out.println(((IntPredicate) l).test(4));
        ToIntFunction<String> tl = String::length;
        System.out.println(tl.applyAsInt("four"));
        LongUnaryOperator lu = x -> x << 2;
        System.out.println(lu.applyAsLong(5));
        Function<String,Integer> parse = Integer::parseInt;
        System.out.println(parse.andThen(Integer::toBinaryString).apply("10"));
        BooleanSupplier bs = "x"::isEmpty;
        System.out.println(bs.getAsBoolean());
        ObjIntConsumer<String> oi = (s,i) -> System.out.println(s.repeat(i));
        oi.accept("z",3);
        int fib = new Object() {
            int fib(int n) {
                return n < 2 ? n : fib(n-1) + fib(n-2);
            }
        }.fib(15);
        System.out.println(fib);
    }
    String inst(Integer i) {
        return "inst" + i + outer;
    }
    interface Callable0<V> {
        V call() throws Exception;
    }
}
