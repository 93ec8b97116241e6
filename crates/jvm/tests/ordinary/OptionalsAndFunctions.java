import java.util.*;
import java.util.function.*;
public class OptionalsAndFunctions {
    public static void main(String[] a) {
        Optional<String> o = Optional.of("x"), e = Optional.empty();
        System.out.println(o + " " + e + o.map(String::toUpperCase).get() + e.orElse("d") + e.orElseGet(()->"g") + o.filter(s->s.isEmpty()).isPresent() + o.flatMap(s->Optional.of(s+s)).get() + e.or(()->Optional.of("q")).get() + o.stream().count() + e.isEmpty() + OptionalInt.of(3) + OptionalDouble.empty());
        try {
            e.get();
        } catch (NoSuchElementException x) {
            System.out.println(x.getMessage());
        }
        try {
            e.orElseThrow(() -> new IllegalStateException("boom"));
        } catch (IllegalStateException x) {
            System.out.println(x.getMessage());
        }
        o.ifPresentOrElse(System.out::println, () -> System.out.println("no"));
        System.out.println(Objects.requireNonNullElse(null,"dflt") + Objects.hash(1,2,3) + Objects.equals(null,null) + Objects.toString(null,"n") + Objects.hashCode(null));
        try {
            Objects.requireNonNull(null,"msg");
        } catch (NullPointerException x) {
            System.out.println(x.getMessage());
        }
        try {
            Objects.checkIndex(5,3);
        } catch (IndexOutOfBoundsException x) {
            System.out.println(x.getMessage());
        }
        Function<Integer,Integer> f = x->x+1;
        System.out.println(f.compose((Integer x)->x*2).andThen(x->x*10).apply(3) + " " + Function.<Integer>identity().apply(5));
        Predicate<String> p = String::isEmpty;
        System.out.println(p.negate().and(s->s.length()>1).or(s->s.equals("z")).test("z") + "" + Predicate.not(p).test(""));
        BiFunction<Integer,Integer,Integer> b = Math::max;
        System.out.println(b.andThen(x->-x).apply(3,9));
        Supplier<List<String>> s = ArrayList::new;
        System.out.println(s.get());
        UnaryOperator<String> u = String::trim;
        System.out.println(u.apply("  t "));
        BinaryOperator<Integer> mx = BinaryOperator.maxBy(Comparator.naturalOrder());
        System.out.println(mx.apply(1,2));
        IntBinaryOperator ib = (x,y)->x^y;
        System.out.println(ib.applyAsInt(5,3));
        Runnable r = () -> System.out.println("run");
        r.run();
        Function<Integer,int[]> mk = int[]::new;
        System.out.println(mk.apply(3).length);
    }
}
