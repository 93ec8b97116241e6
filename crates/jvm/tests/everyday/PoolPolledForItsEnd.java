//@ class loops
//@ verdict ok
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool is asked whether it has ended. */
public class PoolPolledForItsEnd {
    static volatile boolean done;

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> done = true);
        pool.shutdown();
        while (!pool.isTerminated()) Thread.sleep(1);
        assert done;
    }
}
