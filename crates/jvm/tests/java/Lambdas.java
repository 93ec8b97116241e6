import java.util.*;
import java.util.function.*;

/** Lambdas and method references of every kind. */
public class Lambdas {
    interface TriFunction<A, B, C, R> { R apply(A a, B b, C c); }
    interface LongOp { long run(int a, long b); }

    int field = 10;
    static int calls;

    int add(int n) { return field + n; }
    static int twice(int n) { calls++; return 2 * n; }
    Supplier<Integer> capture(int n) { return () -> field + n + calls; }

    static class Box<T> {
        final T value;
        Box(T value) { this.value = value; }
        <R> Box<R> map(Function<? super T, ? extends R> f) { return new Box<>(f.apply(value)); }
        @Override public String toString() { return "Box(" + value + ")"; }
    }

    static int apply(IntUnaryOperator f, int n) { return f.applyAsInt(n); }

    static Function<Integer, Function<Integer, Integer>> curried() { return a -> b -> a * 10 + b; }

    public static void main(String[] args) throws Exception {
        Lambdas object = new Lambdas();
        System.out.println(apply(Lambdas::twice, 21) + " " + apply(object::add, 5) + " " + apply(n -> n * n, 9));
        Function<String, Integer> length = String::length;
        Function<Integer, Box<Integer>> make = Box::new;
        IntFunction<int[]> array = int[]::new;
        BiFunction<String, String, Boolean> starts = String::startsWith;
        System.out.println(length.apply("four") + " " + make.apply(3) + " " + array.apply(4).length + " " + starts.apply("abc", "ab"));
        System.out.println(length.andThen(n -> n + 1).compose((Object o) -> o.toString() + "!").apply(12345));
        System.out.println(object.capture(5).get() + " " + curried().apply(4).apply(2));
        object.field = 100;
        System.out.println(object.capture(5).get());
        TriFunction<Integer, Long, String, String> three = (a, b, c) -> a + b + c;
        System.out.println(three.apply(1, 2L, "x"));
        LongOp op = (a, b) -> a * b + object.field;
        System.out.println(op.run(3, 1L << 40));
        Runnable r = () -> calls += 5;
        r.run();
        r.run();
        System.out.println(calls);
        Comparator<String> c = Comparator.<String, Integer>comparing(String::length).reversed().thenComparing(Function.identity());
        List<String> words = new ArrayList<>(List.of("bb", "a", "ccc", "aa", "c"));
        words.sort(c);
        System.out.println(words);
        Supplier<Supplier<String>> nested = () -> () -> "deep";
        System.out.println(nested.get().get());
        BinaryOperator<Integer> max = BinaryOperator.maxBy(Comparator.naturalOrder());
        System.out.println(max.apply(3, 8));
        ToDoubleFunction<Integer> half = n -> n / 2.0;
        DoubleSupplier pi = () -> Math.PI;
        System.out.println(half.applyAsDouble(5) + " " + pi.getAsDouble());
        Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().and(s -> s.length() < 4).or(s -> s.equals("long text")).test("abc"));
        java.util.concurrent.Callable<Object> callable = () -> { throw new java.io.IOException("checked"); };
        try {
            callable.call();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Function<Double, Double>> table = new LinkedHashMap<>();
        table.put("sqrt", Math::sqrt);
        table.put("neg", x -> -x);
        table.forEach((k, f) -> System.out.println(k + " " + f.apply(16.0)));
        Object o = (Runnable & java.io.Serializable) () -> {};
        System.out.println(o instanceof java.io.Serializable);
        int[] counter = {0};
        new Box<>("x").map(s -> { counter[0]++; return s + s; }).map(String::length);
        System.out.println(counter[0]);
        Optional<String> opt = Optional.of("v").map(s -> s + 1).filter(s -> s.length() > 1);
        System.out.println(opt + " " + opt.orElse("none") + " " + Optional.empty().isPresent());
        Integer boxedSum = Arrays.asList(1, 2, 3).stream().reduce(0, Integer::sum);
        UnaryOperator<Integer> inc = n -> n + 1;
        System.out.println(boxedSum + " " + inc.apply(1));
        IntBinaryOperator sum = Integer::sum;
        Function<Object, String> str = Object::toString;
        ObjIntConsumer<String> show = (s, n) -> System.out.println(s.repeat(n));
        show.accept(str.apply(sum.applyAsInt(1, 2)), 3);
    }
}
