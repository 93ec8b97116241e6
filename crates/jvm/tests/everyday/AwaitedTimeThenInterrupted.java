//@ class threads
//@ verdict ok
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition tells by its result whether its time had passed: an interrupt after the signal never ends the wait. */
public class AwaitedTimeThenInterrupted {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean waits;
    static boolean told;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                waits = true;
                changed.await(5, TimeUnit.MILLISECONDS);
                assert !told || Thread.interrupted();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        lock.lock();
        try {
            if (waits) {
                told = true;
                changed.signal();
                waiter.interrupt();
            }
        } finally {
            lock.unlock();
        }
        waiter.join();
    }
}
