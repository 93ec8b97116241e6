//@ class threads
//@ verdict bug
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The time of a wait has passed when the other thread, which has the lock, interrupts the one that waits. */
public class TimeUpThenInterrupted {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean stopped;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                if (!stopped && !changed.await(5, TimeUnit.MILLISECONDS) && stopped) {
                    throw new IllegalStateException("not told"); //~ exception
                }
            } catch (InterruptedException e) {
                assert stopped;
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        lock.lock();
        try {
            stopped = true;
            waiter.interrupt();
        } finally {
            lock.unlock();
        }
        waiter.join();
    }
}
