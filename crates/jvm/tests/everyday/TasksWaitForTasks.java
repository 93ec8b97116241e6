//@ class threads
//@ verdict bug
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two tasks occupy both threads of a pool and wait for tasks that are to run there. */
public class TasksWaitForTasks {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Callable<Integer> inner = () -> 1;
        Callable<Integer> outer = () -> pool.submit(inner).get() + 1; //~ deadlock
        Future<Integer> one = pool.submit(outer);
        Future<Integer> other = pool.submit(outer);
        assert one.get() + other.get() == 4; //~ deadlock
        pool.shutdown();
    }
}
