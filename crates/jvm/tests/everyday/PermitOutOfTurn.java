//@ class threads
//@ verdict ok
import java.util.concurrent.Semaphore;

/** Where a semaphore is not fair, whoever finds a permit takes it, whoever waits. */
public class PermitOutOfTurn {
    static final Semaphore permits = new Semaphore(2);

    static void use(int count) {
        permits.acquireUninterruptibly(count);
        permits.release(count);
    }

    public static void main(String[] args) throws InterruptedException {
        permits.acquire();
        Thread writer = new Thread(() -> use(2));
        Thread reader = new Thread(() -> use(1));
        writer.start();
        reader.start();
        reader.join();
        permits.release();
        writer.join();
        assert permits.availablePermits() == 2;
    }
}
