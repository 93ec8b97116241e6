import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The write lock is tried for, and waited for if a reader has it, or not. This one is right. */
public class TriedWriteFix {
    static final ReentrantReadWriteLock l = new ReentrantReadWriteLock();
    static int x;
    public static void main(String[] a) throws Exception {
        Thread r = new Thread(() -> {
            l.readLock().lock();
            int y = x;
            l.readLock().unlock();
        });
        r.start();
        if (l.writeLock().tryLock()) {
            x = 1;
            l.writeLock().unlock();
        } else {
            l.writeLock().lock();
            x = 1;
            l.writeLock().unlock();
        }
        r.join();
        if (x != 1) throw new AssertionError("x");
    }
}
