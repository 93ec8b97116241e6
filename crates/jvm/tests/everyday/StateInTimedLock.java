//@ class threads
//@ verdict bug
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Who waits for a lock for some time is `TIMED_WAITING`. */
public class StateInTimedLock {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread other = new Thread(() -> {
            try {
                lock.tryLock(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        other.start();
        Thread.State state = other.getState();
        lock.unlock();
        assert state != Thread.State.TIMED_WAITING; //~ assertion
    }
}
