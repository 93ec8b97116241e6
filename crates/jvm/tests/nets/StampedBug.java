import java.util.concurrent.locks.StampedLock;

/** An optimistic read is validated, or only asked whether it could begin. This one is wrong. */
public class StampedBug {
    static final StampedLock l = new StampedLock();
    static int x, y;
    public static void main(String[] a) throws Exception {
        Thread w = new Thread(() -> {
            long s = l.writeLock();
            x++;
            y++;
            l.unlockWrite(s);
        });
        w.start();
        long s = l.tryOptimisticRead();
        int p = x, q = y;
        if (s == 0) {
            s = l.readLock();
            p = x;
            q = y;
            l.unlockRead(s);
        }
        if (p != q) throw new AssertionError("torn");
        w.join();
    }
}
