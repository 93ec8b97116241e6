import java.util.*;
import java.util.function.*;
public class LazyLists {
    static class LazyList<T> implements Iterable<T> {
        final Supplier<T> head;
        final Supplier<LazyList<T>> tail;
        LazyList(Supplier<T> h, Supplier<LazyList<T>> t) {
            head = h;
            tail = t;
        }
        static LazyList<Integer> from(int n) {
            return new LazyList<>(() -> n, () -> from(n+1));
        }
        LazyList<T> filter(Predicate<T> p) {
            LazyList<T> c = this;
            while (!p.test(c.head.get())) c = c.tail.get();
            LazyList<T> f = c;
            return new LazyList<>(f.head, () -> f.tail.get().filter(p));
        }
        public Iterator<T> iterator() {
            return new Iterator<>() {
                LazyList<T> c = LazyList.this;
                public boolean hasNext() {
                    return true;
                }
                public T next() {
                    T v = c.head.get();
                    c = c.tail.get();
                    return v;
                }
            };
        }
    }
    sealed interface Result<T> {
        record Ok<T>(T v) implements Result<T> {}
        record Err<T>(String m) implements Result<T> {}
        default <R> Result<R> then(Function<T,Result<R>> f) {
            if (this instanceof Ok<T> o) return f.apply(o.v());
            return new Err<>(((Err<T>) this).m());
        }
    }
    static Result<Integer> parse(String s) {
        try {
            return new Result.Ok<>(Integer.parseInt(s));
        } catch (NumberFormatException e) {
            return new Result.Err<>(e.getMessage());
        }
    }
    static <T, R extends Collection<? super T>> R into(Iterable<? extends T> it, R c, int n) {
        for (T t : it) {
            if (n-- == 0) break;
            c.add(t);
        }
        return c;
    }
    public static void main(String[] a) {
        System.out.println(into(LazyList.from(1).filter(x -> x % 7 == 0), new ArrayDeque<>(), 5));
        System.out.println(parse("12").then(x -> new Result.Ok<>(x * 2)) + " " + parse("z").then(x -> new Result.Ok<>(x * 2)));
        Map<String, BinaryOperator<Double>> ops = new TreeMap<>(Map.of("+", Double::sum, "*", (x,y) -> x*y, "^", Math::pow));
        ops.forEach((k,f) -> System.out.print(k + f.apply(2.0,5.0) + " "));
        System.out.println();
        Function<Integer,Integer> fact = new Function<>() {
            public Integer apply(Integer n) {
                return n < 2 ? 1 : n * this.apply(n-1);
            }
        };
        System.out.println(fact.apply(10));
        Supplier<Supplier<String>> ss = () -> () -> "deep";
        System.out.println(ss.get().get());
        int[] counter = new int[1];
        Runnable r = () -> counter[0]++;
        for (int i = 0; i < 5; i++) r.run();
        System.out.println(counter[0]);
        List<Supplier<Integer>> sups = new ArrayList<>();
        for (int i : new int[]{1,2,3}) sups.add(() -> i * i);
        System.out.println(sups.stream().map(Supplier::get).toList());
        Comparator<String> c = Comparator.nullsFirst(Comparator.comparing(String::length));
        List<String> l = new ArrayList<>(Arrays.asList("ccc", null, "a", "bb"));
        l.sort(c);
        System.out.println(l);
    }
}
