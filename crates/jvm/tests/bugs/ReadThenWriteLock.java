//@ switches 2
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader that wants to write waits for itself to stop reading, and holds up others that want to read. */
public class ReadThenWriteLock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private int value;

    void fill(boolean fixed) {
        lock.readLock().lock(); //~ deadlock
        if (value == 0) {
            if (fixed) {
                lock.readLock().unlock();
            }
            lock.writeLock().lock(); //~ deadlock
            value = 1;
            if (fixed) {
                lock.readLock().lock();
            }
            lock.writeLock().unlock();
        }
        lock.readLock().unlock();
    }

    public static void main(String[] args) {
        ReadThenWriteLock cache = new ReadThenWriteLock();
        boolean fixed = args.length > 0;
        new Thread(() -> cache.fill(fixed)).start();
        cache.fill(fixed);
    }
}
