import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A value is computed under the write lock, looking again whether it is needed, or not. This one is right. */
public class CacheFix {
    static final ReentrantReadWriteLock l = new ReentrantReadWriteLock();
    static int computed;
    static boolean have;
    static void get() {
        l.readLock().lock();
        boolean h = have;
        l.readLock().unlock();
        if (!h) {
            l.writeLock().lock();
            try {
                if (!have) {
                    have = true;
                    computed++;
                    if (computed > 1) throw new AssertionError("twice");
                }
            } finally {
                l.writeLock().unlock();
            }
        }
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(CacheFix::get);
        t.start();
        get();
        t.join();
    }
}
