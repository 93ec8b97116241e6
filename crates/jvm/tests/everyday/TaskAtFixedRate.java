//@ class pools
//@ verdict incomplete([steps])
//@ limited
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A task that runs over and over is stopped after a few times. */
public class TaskAtFixedRate {
    public static void main(String[] args) throws InterruptedException {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        AtomicInteger ticks = new AtomicInteger();
        CountDownLatch enough = new CountDownLatch(2);
        timer.scheduleAtFixedRate(() -> {
            ticks.incrementAndGet();
            enough.countDown();
        }, 0, 10, TimeUnit.MILLISECONDS);
        enough.await();
        timer.shutdown();
        assert ticks.get() >= 2;
    }
}
