//@ class races
//@ verdict ok
import java.util.concurrent.CountDownLatch;

/** A latch orders what comes before it and after it. */
public class LatchPublishes {
    static int data;
    static final CountDownLatch latch = new CountDownLatch(1);

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 1;
            latch.countDown();
        });
        writer.start();
        latch.await();
        assert data == 1;
        data = 2;
        writer.join();
    }
}
