//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A thread is signalled, gets its lock back too late, and gives up: the signal was not for the other one. */
public class SignalForOneTooLate {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition added = lock.newCondition();
    static int items;
    static int waiting;
    static boolean closed;

    public static void main(String[] args) throws InterruptedException {
        Thread hasty = new Thread(() -> {
            lock.lock();
            try {
                waiting++;
                if (items == 0 && !closed && added.awaitNanos(5_000_000) <= 0) return;
                closed = true;
                added.signal();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                lock.unlock();
            }
        });
        hasty.start();
        Thread giver = new Thread(() -> {
            lock.lock();
            try {
                if (waiting < 2) {
                    closed = true;
                    added.signalAll();
                } else {
                    items++;
                    added.signal();
                }
            } finally {
                lock.unlock();
            }
        });
        giver.start();
        lock.lock();
        try {
            waiting++;
            while (items == 0 && !closed) added.awaitUninterruptibly(); //~ deadlock
        } finally {
            lock.unlock();
        }
        hasty.join();
        giver.join();
    }
}
