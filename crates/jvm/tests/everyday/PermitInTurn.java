//@ class threads
//@ verdict bug
import java.util.concurrent.Semaphore;

/** Where a semaphore is fair, a reader does not pass a writer that waits for all permits. */
public class PermitInTurn {
    static final Semaphore permits = new Semaphore(2, true);

    static void use(int count) {
        permits.acquireUninterruptibly(count); //~ deadlock
        permits.release(count);
    }

    public static void main(String[] args) throws InterruptedException {
        permits.acquire();
        Thread writer = new Thread(() -> use(2));
        Thread reader = new Thread(() -> use(1));
        writer.start();
        reader.start();
        reader.join(); //~ deadlock
        permits.release();
        writer.join();
    }
}
