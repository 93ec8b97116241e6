//@ class loops
//@ verdict bug
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader polls under a read lock; the writer tries once and takes failure for an error. */
public class ReaderPolls {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            boolean seen = false;
            while (!seen) {
                lock.readLock().lock();
                seen = ready;
                lock.readLock().unlock();
            }
        });
        reader.start();
        boolean taken = lock.writeLock().tryLock();
        ready = true;
        if (taken) lock.writeLock().unlock();
        reader.join();
        assert taken; //~ assertion
    }
}
