//@ class threads
//@ verdict ok
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Stopping a pool at once interrupts the task that sleeps. */
public class ShutdownNowInterrupts {
    static volatile boolean interrupted;

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CountDownLatch running = new CountDownLatch(1);
        pool.execute(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        });
        running.await();
        pool.shutdownNow();
        assert !pool.awaitTermination(1, TimeUnit.DAYS) || interrupted;
    }
}
