//@ class threads
//@ verdict ok
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One awaits a condition and one waits on its monitor: each is woken by the one meant for it, and by no other. */
public class SignalledAndNotified {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean signalled;
    static boolean notified;

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> {
            lock.lock();
            try {
                if (!signalled) changed.awaitUninterruptibly();
                assert signalled : "woken by the notification";
            } finally {
                lock.unlock();
            }
        });
        Thread second = new Thread(() -> {
            synchronized (changed) {
                try {
                    if (!notified) changed.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                assert notified : "woken by the signal";
            }
        });
        first.start();
        second.start();
        synchronized (changed) {
            notified = true;
            changed.notify();
        }
        lock.lock();
        try {
            assert lock.getWaitQueueLength(changed) <= 1 : "the other one does not await a signal";
            signalled = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        first.join();
        second.join();
    }
}
