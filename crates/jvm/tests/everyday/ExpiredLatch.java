//@ class threads
//@ verdict bug
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A wait with a time limit may end too early, and takes its time. */
public class ExpiredLatch {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread other = new Thread(latch::countDown);
        other.start();
        long start = System.nanoTime();
        boolean passed = latch.await(10, TimeUnit.MILLISECONDS);
        long taken = System.nanoTime() - start;
        other.join();
        assert passed || taken >= 10_000_000;
        assert passed; //~ assertion
    }
}
