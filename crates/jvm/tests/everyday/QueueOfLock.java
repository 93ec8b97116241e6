//@ class hidden
//@ verdict bug
import java.util.concurrent.locks.ReentrantLock;

/** A lock is asked whether somebody waits for it. */
public class QueueOfLock {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread other = new Thread(() -> {
            lock.lock();
            lock.unlock();
        });
        lock.lock();
        other.start();
        boolean waits = lock.hasQueuedThreads();
        lock.unlock();
        other.join();
        assert !waits; //~ assertion
    }
}
