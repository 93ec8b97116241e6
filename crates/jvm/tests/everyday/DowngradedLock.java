//@ class races
//@ verdict ok
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A writer keeps reading after it has given up writing. */
public class DowngradedLock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    static void update() {
        lock.writeLock().lock();
        value++;
        lock.readLock().lock();
        lock.writeLock().unlock();
        int seen = value;
        lock.readLock().unlock();
        assert seen >= 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(DowngradedLock::update);
        other.start();
        update();
        other.join();
        assert value == 2;
    }
}
