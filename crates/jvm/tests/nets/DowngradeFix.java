import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A writer downgrades to the read lock while a reader reads twice. This one is right. */
public class DowngradeFix {
    static final ReentrantReadWriteLock l = new ReentrantReadWriteLock(true);
    static int x;
    public static void main(String[] a) throws Exception {
        Thread r = new Thread(() -> {
            l.readLock().lock();
            l.readLock().lock();
            int y = x;
            l.readLock().unlock();
            l.readLock().unlock();
        });
        Thread w = new Thread(() -> {
            l.writeLock().lock();
            l.readLock().lock();
            x = 1;
            l.readLock().unlock();
            l.writeLock().unlock();
        });
        r.start();
        w.start();
        r.join();
        w.join();
        if (x != 1) throw new AssertionError("x");
    }
}
