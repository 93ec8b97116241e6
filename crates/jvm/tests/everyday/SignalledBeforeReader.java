//@ class threads
//@ verdict bug
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader waits for another one, which may have to let a thread go first that was signalled and wants to write again. */
public class SignalledBeforeReader {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static final Condition changed = lock.writeLock().newCondition();
    static boolean go;
    static int value;

    static void write() {
        lock.writeLock().lock();
        try {
            while (!go) {
                changed.awaitUninterruptibly(); //~ deadlock
            }
            value++;
        } finally {
            lock.writeLock().unlock();
        }
    }

    static void read() {
        lock.readLock().lock(); //~ deadlock
        int seen = value;
        lock.readLock().unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(SignalledBeforeReader::write);
        Thread reader = new Thread(SignalledBeforeReader::read);
        lock.writeLock().lock();
        writer.start();
        lock.writeLock().unlock();
        while (true) {
            lock.writeLock().lock();
            if (lock.hasWaiters(changed)) break;
            lock.writeLock().unlock();
        }
        go = true;
        changed.signalAll();
        lock.readLock().lock();
        lock.writeLock().unlock();
        reader.start();
        reader.join(); //~ deadlock
        lock.readLock().unlock();
        writer.join();
    }
}
