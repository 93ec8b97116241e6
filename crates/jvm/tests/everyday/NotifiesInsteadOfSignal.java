//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A condition is an object with a monitor, too: `notifyAll` on it reaches nobody who awaits a signal. */
public class NotifiesInsteadOfSignal {
    static final Lock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                while (!ready) changed.awaitUninterruptibly(); //~ deadlock
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        lock.lock();
        try {
            ready = true;
            synchronized (changed) { changed.notifyAll(); }
        } finally {
            lock.unlock();
        }
        waiter.join(); //~ deadlock
    }
}
