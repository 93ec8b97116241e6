//@ class threads
//@ verdict bug
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A thread that is being interrupted takes the only signal, and does not pass it on. */
public class SignalForInterrupted {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();

    static void await(CountDownLatch waits) {
        lock.lock();
        try {
            waits.countDown();
            changed.await(); //~ deadlock
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch firstWaits = new CountDownLatch(1), bothWait = new CountDownLatch(1);
        Thread first = new Thread(() -> await(firstWaits));
        Thread second = new Thread(() -> await(bothWait));
        first.start();
        firstWaits.await();
        lock.lock();
        lock.unlock();
        second.start();
        bothWait.await();
        lock.lock();
        first.interrupt();
        changed.signal();
        lock.unlock();
        first.join();
        second.join(); //~ deadlock
    }
}
