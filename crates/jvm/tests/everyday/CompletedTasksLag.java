//@ class hidden
//@ verdict bug
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;

/** A pool counts a task after its result can be seen. */
public class CompletedTasksLag {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        Future<?> task = pool.submit(() -> { });
        task.get();
        long completed = pool.getCompletedTaskCount();
        pool.shutdown();
        assert completed == 1; //~ assertion
    }
}
