//@ class threads
//@ verdict bug
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader waits for another one, which may have to let a writer go first that waits for both. */
public class ReaderBehindWriter {
    static final ReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    static int read() {
        lock.readLock().lock(); //~ deadlock
        try {
            return value;
        } finally {
            lock.readLock().unlock();
        }
    }

    static void write() {
        lock.writeLock().lock(); //~ deadlock
        value++;
        lock.writeLock().unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(ReaderBehindWriter::write);
        Thread reader = new Thread(ReaderBehindWriter::read);
        lock.readLock().lock();
        writer.start();
        reader.start();
        reader.join(); //~ deadlock
        lock.readLock().unlock();
        writer.join();
    }
}
