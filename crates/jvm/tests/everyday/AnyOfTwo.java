//@ class threads
//@ verdict bug
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** `invokeAny` gives the result of one that has not failed. */
public class AnyOfTwo {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<String>> tasks = List.of(() -> "left", () -> "right");
        String got = pool.invokeAny(tasks);
        pool.shutdown();
        assert got.equals("left"); //~ assertion
    }
}
