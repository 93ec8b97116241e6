import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A condition of a write lock, signalled by a thread that may come too early. */
public class WriteCondition {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static final Condition ready = lock.writeLock().newCondition();
    static boolean set;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            lock.readLock().lock();
            boolean seen = set;
            lock.readLock().unlock();
            if (!seen) {
                lock.writeLock().lock();
                try {
                    ready.await();
                } catch (InterruptedException stopped) {
                    return;
                } finally {
                    lock.writeLock().unlock();
                }
            }
        });
        waiter.start();
        lock.writeLock().lock();
        set = true;
        ready.signalAll();
        lock.writeLock().unlock();
        waiter.join();
    }
}
