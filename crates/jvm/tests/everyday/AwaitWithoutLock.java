//@ class threads
//@ verdict bug
import java.util.concurrent.locks.ReentrantLock;

/** A condition is signalled without its lock. */
public class AwaitWithoutLock {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        java.util.concurrent.locks.Condition ready = lock.newCondition();
        Thread other = new Thread(() -> {
            lock.lock();
            lock.unlock();
        });
        other.start();
        other.join();
        ready.signal(); //~ exception
    }
}
