import java.util.*;
import java.util.function.*;
import java.util.stream.*;
public class StreamCollectors {
    record P(String n, int age, String city) {}
    public static void main(String[] a) {
        List<P> ps = List.of(new P("Ann",30,"X"), new P("Bob",25,"Y"), new P("Cid",35,"X"), new P("Dee",25,"Z"));
        System.out.println("" + ps.stream().collect(Collectors.groupingBy(P::city, TreeMap::new, Collectors.mapping(P::n, Collectors.joining("/","[","]")))));
        System.out.println(ps.stream().collect(Collectors.partitioningBy(p -> p.age() > 28, Collectors.counting())) + " " + ps.stream().collect(Collectors.averagingInt(P::age)) + ps.stream().mapToInt(P::age).summaryStatistics());
        System.out.println(ps.stream().sorted(Comparator.comparing(P::age).thenComparing(P::n, Comparator.reverseOrder())).map(P::n).toList() + " " + ps.stream().collect(Collectors.toMap(P::n, P::age, (x,y)->x, LinkedHashMap::new)));
        System.out.println(IntStream.rangeClosed(1,5).mapToObj(i -> "x".repeat(i)).collect(Collectors.joining(",")) + Stream.iterate(1, x -> x*2).limit(10).reduce(0, Integer::sum) + Stream.iterate(1, x -> x < 100, x -> x*3).toList() + Stream.of(List.of(1,2),List.of(3)).flatMap(List::stream).map(x->x+1).collect(Collectors.toList()));
        System.out.println(Stream.of(1,2,3,4,5).takeWhile(x->x<4).dropWhile(x->x<2).peek(x->System.out.print("p"+x)).anyMatch(x->x==3) + " " + IntStream.of(3,1,2).boxed().max(Comparator.naturalOrder()).get() + Stream.of("a","b").findFirst().get() + DoubleStream.of(1,2).average().getAsDouble() + LongStream.range(0,5).sum());
        System.out.println(Stream.of(1,1,2).distinct().count() + " " + Arrays.stream(new int[]{1,2,3}).map(x->x*x).filter(x->x>1).boxed().collect(Collectors.toSet()) + "hello".chars().mapToObj(c->(char)c).map(String::valueOf).collect(Collectors.joining("-")) + Stream.generate(()->"z").limit(3).toList() + IntStream.iterate(0,i->i+2).limit(4).boxed().toList());
        System.out.println(Stream.of(1,2,3,4).parallel().mapToInt(x->x).sum() + " " + Stream.of(5,3).sorted().toList() + Stream.of(1,2,3).collect(Collectors.teeing(Collectors.counting(), Collectors.summingInt(x->x), (c,s)->c+":"+s)) + Stream.of(1,2,3).mapMulti((Integer x, Consumer<Object> c) -> { if (x != 2) { c.accept(x); c.accept(x); } }).toList());
        try {
            ps.stream().collect(Collectors.toMap(P::city, P::n));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Stream<Integer> s = Stream.of(1);
        s.count();
        try {
            s.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Stream.of("b","a","c").collect(Collectors.collectingAndThen(Collectors.toList(), Collections::unmodifiableList)) + " " + Stream.concat(Stream.of(1),Stream.of(2)).skip(1).toList() + Stream.of(1,2,3,4).reduce((x,y)->x*y) + Stream.of("x").collect(Collectors.reducing("", (x,y)->x+y)) + ps.stream().max(Comparator.comparingInt(P::age)).map(P::n).orElse("none") + ps.stream().collect(Collectors.groupingBy(P::age, Collectors.flatMapping(p->Stream.of(p.n(),p.city()), Collectors.toList()))) + Stream.of(1,2).toArray().length + Stream.of(1,2).iterator().next());
    }
}
