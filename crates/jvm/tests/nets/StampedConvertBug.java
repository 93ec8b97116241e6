import java.util.concurrent.locks.StampedLock;

/** A counter is changed under the read lock only. This one is wrong. */
public class StampedConvertBug {
    static final StampedLock l = new StampedLock();
    static int x;
    static void inc() {
        long s = l.readLock();
        try {
            x++;
        } finally {
            l.unlock(s);
        }
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(StampedConvertBug::inc);
        t.start();
        inc();
        t.join();
        if (x != 2) throw new AssertionError("x " + x);
    }
}
