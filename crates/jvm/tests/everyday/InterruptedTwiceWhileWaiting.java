//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Who waits on a condition may have noticed one interrupt, and forgotten it, when the next one comes. */
public class InterruptedTwiceWhileWaiting {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean waits;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                waits = true;
                changed.await();
            } catch (InterruptedException e) {
                if (Thread.interrupted()) throw new IllegalStateException("interrupted again"); //~ exception
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        while (true) {
            lock.lock();
            try {
                if (waits) {
                    waiter.interrupt();
                    waiter.interrupt();
                    break;
                }
            } finally {
                lock.unlock();
            }
        }
        waiter.join();
    }
}
