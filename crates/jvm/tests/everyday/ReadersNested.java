//@ class loops
//@ verdict ok
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A counted loop takes a second read lock inside the first. */
public class ReadersNested {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    static int sum() {
        int sum = 0;
        lock.readLock().lock();
        for (int i = 0; i < 3; i++) {
            lock.readLock().lock();
            sum += value;
            lock.readLock().unlock();
        }
        lock.readLock().unlock();
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            lock.writeLock().lock();
            value = 1;
            lock.writeLock().unlock();
        });
        writer.start();
        int sum = sum();
        assert sum == 0 || sum == 3;
        writer.join();
    }
}
