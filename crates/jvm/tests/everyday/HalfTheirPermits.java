//@ class threads
//@ verdict bug
import java.util.concurrent.Semaphore;

/** Two threads take one of two permits each, and want both. */
public class HalfTheirPermits {
    static final Semaphore permits = new Semaphore(2);

    static void work() {
        permits.acquireUninterruptibly();
        permits.acquireUninterruptibly(); //~ deadlock
        permits.release(2);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(HalfTheirPermits::work);
        other.start();
        work();
        other.join();
    }
}
