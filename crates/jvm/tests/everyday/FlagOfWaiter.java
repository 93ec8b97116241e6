//@ class threads
//@ verdict ok
import java.util.concurrent.CountDownLatch;

/** A thread that is interrupted while it waits is interrupted until it has the monitor back. */
public class FlagOfWaiter {
    static final Object monitor = new Object();
    static boolean thrown;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                waits.countDown();
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    thrown = true;
                    assert !Thread.currentThread().isInterrupted();
                }
            }
        });
        other.start();
        waits.await();
        synchronized (monitor) {
            other.interrupt();
            assert other.isInterrupted();
        }
        other.join();
        assert thrown;
    }
}
