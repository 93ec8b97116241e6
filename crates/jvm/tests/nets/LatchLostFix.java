import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A latch of two is counted down twice, or only once. This one is right. */
public class LatchLostFix {
    public static void main(String[] a) throws Exception {
        CountDownLatch l = new CountDownLatch(2);
        AtomicInteger n = new AtomicInteger();
        Runnable r = () -> {
            if (n.incrementAndGet() <= 2) l.countDown();
        };
        Thread t1 = new Thread(r), t2 = new Thread(r);
        t1.start();
        t2.start();
        l.await();
    }
}
