import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lock that was not got in time is waited for, or done without. This one is right. */
public class TryLockTimeFix {
    static final ReentrantLock l = new ReentrantLock();
    static int x;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            l.lock();
            x++;
            l.unlock();
        });
        t.start();
        if (l.tryLock(1, TimeUnit.SECONDS)) {
            x++;
            l.unlock();
        } else {
            l.lock();
            x++;
            l.unlock();
        }
        t.join();
        if (x != 2) throw new AssertionError("x " + x);
    }
}
