//@ class hidden
//@ verdict ok
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A pool is stopped while a task is scheduled in it. */
public class StoppedWhileScheduling {
    public static void main(String[] args) throws InterruptedException {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        Thread other = new Thread(() -> {
            try {
                pool.schedule(() -> { }, 1, TimeUnit.SECONDS);
            } catch (RejectedExecutionException e) {
                assert pool.isShutdown();
            }
        });
        other.start();
        pool.shutdownNow();
        other.join();
        assert pool.isShutdown();
    }
}
