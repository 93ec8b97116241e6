import java.util.*;
import java.util.stream.*;

/** Streams: sources, intermediate and terminal operations, collectors. */
public class Streams {
    record Person(String name, int age, String city) {}

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ann", 31, "Oslo"), new Person("Bob", 25, "Rome"), new Person("Cid", 42, "Oslo"), new Person("Dee", 19, "Rome"));
        System.out.println(people.stream().filter(p -> p.age() > 20).map(Person::name).collect(Collectors.toList()));
        System.out.println(people.stream().mapToInt(Person::age).sum() + " " + people.stream().mapToInt(Person::age).average().getAsDouble());
        Map<String, String> byCity = people.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.joining("+"))));
        System.out.println(byCity);
        System.out.println(people.stream().collect(Collectors.partitioningBy(p -> p.age() > 30, Collectors.counting())));
        System.out.println(IntStream.rangeClosed(1, 5).mapToObj(i -> "x".repeat(i)).collect(Collectors.joining(",", "[", "]")));
        System.out.println(Stream.iterate(1, x -> x * 2).limit(10).reduce(0, Integer::sum));
        System.out.println(Stream.of("b", "a", "c", "a").distinct().sorted(Comparator.reverseOrder()).toList());
        System.out.println(Arrays.stream(new int[] {3, 1, 2}).boxed().sorted().map(String::valueOf).collect(Collectors.joining()));
        System.out.println(Stream.of(List.of(1, 2), List.of(3), List.<Integer>of()).flatMap(List::stream).map(n -> n * n).toList());
        System.out.println(IntStream.range(0, 20).filter(n -> n % 3 == 0).skip(2).peek(n -> {}).max().getAsInt());
        System.out.println(Stream.of("x", "yy").anyMatch(s -> s.length() == 2) + " " + Stream.of(1, 2).allMatch(n -> n > 1) + " " + Stream.empty().findFirst().isPresent());
        Map<String, Integer> ages = people.stream().collect(Collectors.toMap(Person::name, Person::age, (a, b) -> a, LinkedHashMap::new));
        System.out.println(ages);
        System.out.println(IntStream.of(5, 3, 9).summaryStatistics());
        System.out.println(DoubleStream.of(1.5, 2.5).map(d -> d * 2).sum() + " " + LongStream.range(0, 5).sum());
        System.out.println(people.stream().sorted(Comparator.comparing(Person::city).thenComparing(Person::age)).map(Person::name).toList());
        System.out.println(people.stream().max(Comparator.comparingInt(Person::age)).map(Person::name).orElse("?"));
        StringBuilder collected = Stream.of("a", "b").collect(StringBuilder::new, StringBuilder::append, StringBuilder::append);
        System.out.println(collected.reverse());
        Map<String, Long> letters = "hello world".chars().mapToObj(c -> (char) c).filter(Character::isLetter).map(String::valueOf).collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting()));
        System.out.println(letters);
        System.out.println(Stream.of(1, 2, 3, 4, 5, 6).takeWhile(n -> n < 4).dropWhile(n -> n < 2).toList());
        Deque<Integer> deque = IntStream.iterate(1, n -> n < 100, n -> n * 3).boxed().collect(Collectors.toCollection(ArrayDeque::new));
        System.out.println(deque);
        System.out.println(Stream.of("one", "two", "three").collect(Collectors.teeing(Collectors.counting(), Collectors.joining(), (n, s) -> n + "" + s)).toString());
        String[] array = Stream.of("p", "q").toArray(String[]::new);
        System.out.println(array.length + array[1]);
    }
}
