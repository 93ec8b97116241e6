import java.util.*;
import java.util.stream.*;
public class StreamReports {
    record Emp(String name, String dept, double pay, int age) {}
    public static void main(String[] args) {
        List<Emp> es = List.of(new Emp("Ann", "Eng", 120.5, 30), new Emp("Bob", "Eng", 99, 45), new Emp("Cat", "Ops", 75, 28), new Emp("Dan", "HR", 60, 50), new Emp("Eve", "Ops", 80, 33));
        System.out.println(es.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new, Collectors.averagingDouble(Emp::pay))).toString());
        System.out.println(es.stream().collect(Collectors.groupingBy(Emp::dept, LinkedHashMap::new, Collectors.collectingAndThen(Collectors.maxBy(Comparator.comparingDouble(Emp::pay)), o -> o.map(Emp::name).orElse("-")))).toString());
        System.out.println(es.stream().map(Emp::name).reduce("", (x, y) -> x + y.charAt(0)) + " " + es.stream().mapToDouble(Emp::pay).sum() + " " + es.stream().mapToInt(Emp::age).average().orElse(0));
        DoubleSummaryStatistics st = es.stream().collect(Collectors.summarizingDouble(Emp::pay));
        System.out.println(st);
        System.out.println(st.getMax() + " " + st.getCount());
        System.out.println(es.stream().sorted(Comparator.comparing(Emp::dept).thenComparing(Emp::age, Comparator.reverseOrder())).map(Emp::name).collect(Collectors.joining(", ", "<", ">")));
        System.out.println(es.stream().collect(Collectors.partitioningBy(e -> e.age() > 32, Collectors.mapping(Emp::name, Collectors.toCollection(TreeSet::new)))));
        System.out.println(IntStream.rangeClosed(1, 20).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0)).boxed().map(String::valueOf).collect(Collectors.joining(" ")));
        System.out.println(Stream.iterate(new long[]{0, 1}, f -> new long[]{f[1], f[0] + f[1]}).limit(15).map(f -> f[0]).toList());
        System.out.println("" + Stream.of("a,b", "c").flatMap(s -> Arrays.stream(s.split(","))).collect(Collectors.toCollection(ArrayDeque::new)));
        System.out.println(IntStream.range(0, 5).mapToObj(i -> IntStream.range(0, i).mapToObj(j -> "*").collect(Collectors.joining())).collect(Collectors.toList()));
        System.out.println(Stream.of(5, 3, 8).sorted(Collections.reverseOrder()).map(Object::toString).collect(Collectors.joining()) + Stream.of(1, 2, 3, 4).filter(x -> x % 2 == 0).mapToInt(Integer::intValue).max().getAsInt() + Stream.of("x").allMatch(String::isEmpty) + Stream.empty().findAny().isPresent());
        Map<Boolean, Map<String, List<Integer>>> deep = es.stream().collect(Collectors.partitioningBy(e -> e.pay() > 78, Collectors.groupingBy(Emp::dept, TreeMap::new, Collectors.mapping(Emp::age, Collectors.toList()))));
        System.out.println(deep);
        System.out.println(Arrays.stream("to be or not to be".split(" ")).collect(Collectors.toMap(w -> w, w -> 1, Integer::sum, TreeMap::new)).toString() + Collections.nCopies(3, "ab").stream().collect(Collectors.joining("|")) + new Random(3).ints(5, 0, 100).sorted().boxed().toList() + Stream.of(1, 2, 3, 4, 5, 6).collect(Collectors.filtering(x -> x > 3, Collectors.summingInt(x -> x))) + IntStream.of(1, 2, 3).asLongStream().sum() + LongStream.rangeClosed(1, 20).reduce(1, (x, y) -> x * y) + Stream.of("b", "a").sorted().peek(x -> {}).skip(1).findFirst().get() + DoubleStream.iterate(1, x -> x / 2).limit(5).boxed().toList() + IntStream.rangeClosed(1, 3).collect(StringBuilder::new, (sb, x) -> sb.append(x), StringBuilder::append));
        try {
            Stream.of(1, 0).map(x -> 10 / x).forEach(System.out::println);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            List.of(1, 2).stream().toList().add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("uoe");
        }
        System.out.println(Stream.of(1,2,3,4,5,6,7,8).parallel().filter(x -> x % 2 == 1).map(x -> x * x).reduce(0, Integer::sum));
        Iterator<Integer> it = Stream.of(1,2).iterator();
        it.next();
        System.out.println(it.next() + "" + it.hasNext() + StreamSupport.stream(List.of(9,8).spliterator(), false).count());
        try (Stream<String> cs = Stream.of("z").onClose(() -> System.out.println("closed"))) {
            System.out.println(cs.count());
        }
    }
}
