import java.util.stream.IntStream;

/** A parallel stream over so many numbers. */
public class Streams {
    public static void main(String[] arguments) {
        int sum = IntStream.range(0, Integer.parseInt(arguments[0])).parallel().map(x -> x * x).sum();
        if (sum < 0) {
            throw new AssertionError("the sum is negative");
        }
    }
}
