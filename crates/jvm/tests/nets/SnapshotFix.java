import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader reads two fields under one read lock, or under two. This one is right. */
public class SnapshotFix {
    static final ReadWriteLock l = new ReentrantReadWriteLock();
    static int x, y;
    public static void main(String[] a) throws Exception {
        Thread w = new Thread(() -> {
            l.writeLock().lock();
            x = 1;
            y = 1;
            l.writeLock().unlock();
        });
        Thread r = new Thread(() -> {
            l.readLock().lock();
            int p = x;
            int q = y;
            l.readLock().unlock();
            if (p != q) throw new AssertionError(p + " " + q);
        });
        w.start();
        r.start();
        l.readLock().lock();
        int z = x + y;
        l.readLock().unlock();
        if (z == 1) throw new AssertionError("half");
        w.join();
        r.join();
    }
}
