//@ class threads
//@ verdict bug
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A thread ends without giving its read lock back: a writer waits for ever, and with it readers that come later. */
public class ReaderEndsBehindDaemon {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            lock.readLock().lock();
            int seen = value;
        });
        Thread writer = new Thread(() -> {
            lock.writeLock().lock(); //~ deadlock
            value++;
            lock.writeLock().unlock();
        });
        writer.setDaemon(true);
        reader.start();
        writer.start();
        reader.join();
        lock.readLock().lock(); //~ deadlock
        lock.readLock().unlock();
    }
}
