import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two readers and a writer; the readers see both fields change at once. */
public class ReadersAndWriters {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int one;
    static int other;

    static void read() {
        lock.readLock().lock();
        try {
            if (one != other) {
                throw new AssertionError(one + " and " + other);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) {
        new Thread(ReadersAndWriters::read).start();
        new Thread(ReadersAndWriters::read).start();
        lock.writeLock().lock();
        one++;
        other++;
        lock.writeLock().unlock();
    }
}
