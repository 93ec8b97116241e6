//@ class threads
//@ verdict bug
import java.util.concurrent.CountDownLatch;

/** A thread that is interrupted and then notified may return from waiting as if only the second had happened. */
public class InterruptedYetNotified {
    static final Object monitor = new Object();
    static boolean stopped;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                waits.countDown();
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    stopped = true;
                }
            }
        });
        other.start();
        waits.await();
        synchronized (monitor) {
            other.interrupt();
            monitor.notify();
        }
        other.join();
        if (!stopped) throw new IllegalStateException("still running"); //~ exception
    }
}
