//@ class threads
//@ verdict ok
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Who reads already may read again although a writer waits, and who does not wait passes it. */
public class ReaderPassesWriter {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    static int readTwice() {
        lock.readLock().lock();
        int first = value;
        lock.readLock().lock();
        int second = value;
        lock.readLock().unlock();
        lock.readLock().unlock();
        return second - first;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            lock.writeLock().lock();
            value++;
            lock.writeLock().unlock();
        });
        Thread reader = new Thread(() -> {
            assert lock.readLock().tryLock();
            lock.readLock().unlock();
        });
        lock.readLock().lock();
        writer.start();
        reader.start();
        reader.join();
        assert readTwice() == 0;
        lock.readLock().unlock();
        writer.join();
        assert value == 1;
    }
}
