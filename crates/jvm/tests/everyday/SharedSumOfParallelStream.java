//@ class hidden
//@ verdict bug
import java.util.List;

/** A parallel stream adds to a plain field. */
public class SharedSumOfParallelStream {
    static int sum;

    public static void main(String[] args) {
        List.of(1, 2).parallelStream().forEach(number -> sum += number);
        assert sum == 3; //~ assertion
    }
}
