//@ class races
//@ verdict ok
//@ racy
import java.util.concurrent.locks.ReentrantLock;

/** Not getting a lock tells nobody anything. */
public class FailedLockTellsNothing {
    static int data;
    static final ReentrantLock lock = new ReentrantLock();

    public static void main(String[] args) throws InterruptedException {
        lock.lock();
        Thread other = new Thread(() -> {
            data = 1; //~ race
            if (lock.tryLock()) lock.unlock();
        });
        other.start();
        int seen = data; //~ race
        lock.unlock();
        other.join();
        assert seen <= 1;
    }
}
