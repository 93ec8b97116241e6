import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader waits for a monitor whose owner waits for the write lock. */
public class ReadersDeadlock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static final Object monitor = new Object();

    public static void main(String[] args) {
        new Thread(() -> {
            lock.readLock().lock();
            synchronized (monitor) {
                lock.readLock().unlock();
            }
        }).start();
        new Thread(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
        }).start();
        synchronized (monitor) {
            lock.writeLock().lock();
            lock.writeLock().unlock();
        }
    }
}
