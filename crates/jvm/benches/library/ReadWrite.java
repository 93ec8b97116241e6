import java.util.concurrent.locks.ReentrantReadWriteLock;

/** So many readers and so many writers of one value behind a read-write lock. */
public class ReadWrite {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    public static void main(String[] arguments) {
        for (int reader = 0; reader < Integer.parseInt(arguments[0]); reader++) {
            new Thread(() -> {
                lock.readLock().lock();
                int seen = value;
                lock.readLock().unlock();
            }).start();
        }
        for (int writer = 0; writer < Integer.parseInt(arguments[1]); writer++) {
            new Thread(() -> {
                lock.writeLock().lock();
                value++;
                lock.writeLock().unlock();
            }).start();
        }
    }
}
