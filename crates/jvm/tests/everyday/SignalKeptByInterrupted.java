//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The first that waits is interrupted, keeps the signal, and says that no time is left. */
public class SignalKeptByInterrupted {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean late;
    static boolean passedOn;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> {
            lock.lock();
            try {
                late = changed.awaitNanos(1_000) <= 0 && Thread.interrupted();
            } catch (InterruptedException e) {
                // It has left.
            } finally {
                lock.unlock();
            }
        });
        Thread second = new Thread(() -> {
            lock.lock();
            try {
                changed.awaitUninterruptibly();
                passedOn = true;
            } finally {
                lock.unlock();
            }
        });
        second.setDaemon(true);
        first.start();
        boolean both = false;
        lock.lock();
        try {
            if (lock.getWaitQueueLength(changed) == 1) {
                second.start();
            }
        } finally {
            lock.unlock();
        }
        lock.lock();
        try {
            if (lock.getWaitQueueLength(changed) == 2) {
                both = true;
                first.interrupt();
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        first.join();
        lock.lock();
        try {
            if (both && late && !lock.hasWaiters(changed) && !passedOn) {
                return;
            }
            if (both && late && lock.hasWaiters(changed)) {
                throw new IllegalStateException("late, and the signal is gone"); //~ exception
            }
        } finally {
            lock.unlock();
        }
    }
}
