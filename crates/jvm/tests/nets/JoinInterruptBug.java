import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** An interrupt and the last count of a latch compete to end a wait. This one is wrong. */
public class JoinInterruptBug {
    public static void main(String[] a) throws Exception {
        CountDownLatch l = new CountDownLatch(1);
        AtomicBoolean b = new AtomicBoolean();
        Thread w = new Thread(() -> {
            try {
                l.await();
                b.set(true);
            } catch (InterruptedException e) {
                // Ends.
            }
        });
        w.start();
        Thread k = new Thread(() -> w.interrupt());
        k.start();
        l.countDown();
        w.join();
        if (!b.get()) throw new AssertionError("b");
    }
}
