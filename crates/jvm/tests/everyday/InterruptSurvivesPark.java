//@ class threads
//@ verdict ok
import java.util.concurrent.locks.LockSupport;

/** Parking keeps the interrupt, and does not wait with it. */
public class InterruptSurvivesPark {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            assert Thread.interrupted();
            assert !Thread.currentThread().isInterrupted();
        });
        other.start();
        other.interrupt();
        other.join();
    }
}
