//@ class threads
//@ verdict ok
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader waits for something that another one does before it reads. */
public class ReadersDoNotWait {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static final CountDownLatch ready = new CountDownLatch(1);
    static int value;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            ready.countDown();
            lock.readLock().lock();
            int seen = value;
            lock.readLock().unlock();
        }).start();
        new Thread(() -> {
            lock.writeLock().lock();
            value++;
            lock.writeLock().unlock();
        }).start();
        lock.readLock().lock();
        ready.await();
        lock.readLock().unlock();
    }
}
