import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A latch is awaited with a time limit, and the answer is looked at. */
public class TimedLatch {
    static volatile int done;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                done = 1;
                latch.countDown();
            }).start();
        }
        if (latch.await(1, TimeUnit.SECONDS) && done != 1) {
            throw new AssertionError("passed too early");
        }
    }
}
