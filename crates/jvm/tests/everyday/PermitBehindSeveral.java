//@ class threads
//@ verdict bug
import java.util.concurrent.Semaphore;

/** A thread that wants one permit may have to wait behind one that wants two, and nobody gives the second one back. */
public class PermitBehindSeveral {
    static final Semaphore permits = new Semaphore(0);

    static void use(int count) {
        permits.acquireUninterruptibly(count); //~ deadlock
        permits.release(count);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread two = new Thread(() -> use(2));
        Thread one = new Thread(() -> use(1));
        two.start();
        one.start();
        permits.release();
        one.join(); //~ deadlock
        permits.release();
        two.join();
    }
}
