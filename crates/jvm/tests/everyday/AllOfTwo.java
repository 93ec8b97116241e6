//@ class threads
//@ verdict ok
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** `invokeAll` waits for all tasks. */
public class AllOfTwo {
    static int[] cells = new int[2];

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Callable<Integer>> tasks = List.of(() -> cells[0] = 1, () -> cells[1] = 2);
        int sum = 0;
        for (Future<Integer> each : pool.invokeAll(tasks)) {
            assert each.isDone();
            sum += each.get();
        }
        pool.shutdown();
        assert sum == 3 && cells[0] == 1 && cells[1] == 2;
    }
}
