//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Who waits in the wait set of a condition's monitor is not signalled. */
public class SignalsInsteadOfNotify {
    static final Lock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (changed) {
                try {
                    while (!ready) changed.wait(); //~ deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        waiter.start();
        synchronized (changed) {
            ready = true;
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        waiter.join(); //~ deadlock
    }
}
