//@ class loops
//@ verdict ok
import java.util.concurrent.Semaphore;

/** A permit is taken by polling. */
public class PermitByPolling {
    static final Semaphore permit = new Semaphore(1);
    static int count;

    static void work() {
        while (!permit.tryAcquire()) Thread.yield();
        count++;
        permit.release();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(PermitByPolling::work);
        other.start();
        work();
        other.join();
        assert count == 2;
    }
}
