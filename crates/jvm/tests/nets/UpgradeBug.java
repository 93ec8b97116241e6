import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The write lock is wanted by threads that have freed the read lock, or still hold it. This one is wrong. */
public class UpgradeBug {
    static final ReentrantReadWriteLock l = new ReentrantReadWriteLock();
    static int x;
    static void up() {
        l.readLock().lock();
        int y = x;
        l.writeLock().lock();
        x++;
        l.writeLock().unlock();
        l.readLock().unlock();
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(UpgradeBug::up);
        t.start();
        up();
        t.join();
    }
}
