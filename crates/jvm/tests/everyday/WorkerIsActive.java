//@ class hidden
//@ verdict bug
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** A pool may be asked while its worker runs a task. */
public class WorkerIsActive {
    public static void main(String[] args) {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.execute(() -> { });
        int active = pool.getActiveCount();
        pool.shutdown();
        assert active == 0; //~ assertion
    }
}
