//@ class threads
//@ verdict ok
import java.util.concurrent.CountDownLatch;

/** A thread that waits for a latch is alive. */
public class AliveWhileHeld {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        worker.start();
        assert worker.isAlive();
        latch.countDown();
        worker.join();
        assert !worker.isAlive() && worker.getState() == Thread.State.TERMINATED;
    }
}
