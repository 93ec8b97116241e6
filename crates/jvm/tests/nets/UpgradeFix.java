import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The write lock is wanted by threads that have freed the read lock, or still hold it. This one is right. */
public class UpgradeFix {
    static final ReentrantReadWriteLock l = new ReentrantReadWriteLock();
    static int x;
    static void up() {
        l.readLock().lock();
        int y = x;
        l.readLock().unlock();
        l.writeLock().lock();
        x++;
        l.writeLock().unlock();
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(UpgradeFix::up);
        t.start();
        up();
        t.join();
    }
}
