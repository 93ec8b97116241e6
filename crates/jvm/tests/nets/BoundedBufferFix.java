import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A buffer for one item signals the condition of the other side, or the wrong one. This one is right. */
public class BoundedBufferFix {
    static final ReentrantLock l = new ReentrantLock();
    static final Condition notFull = l.newCondition(), notEmpty = l.newCondition();
    static int n;
    static void put() {
        l.lock();
        try {
            while (n == 1) notFull.await();
            n++;
            notEmpty.signal();
        } catch (InterruptedException e) {
            // Ends.
        } finally {
            l.unlock();
        }
    }
    static void take() {
        l.lock();
        try {
            while (n == 0) notEmpty.await();
            n--;
            notFull.signal();
        } catch (InterruptedException e) {
            // Ends.
        } finally {
            l.unlock();
        }
    }
    public static void main(String[] a) throws Exception {
        Thread p = new Thread(() -> {
            put();
            put();
        });
        p.start();
        take();
        take();
        p.join();
    }
}
