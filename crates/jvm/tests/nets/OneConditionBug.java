import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads wait for different things at one condition; all are signalled, or one. This one is wrong. */
public class OneConditionBug {
    static final ReentrantLock l = new ReentrantLock();
    static final Condition c = l.newCondition();
    static boolean aReady, bReady;
    public static void main(String[] a) throws Exception {
        Thread t1 = new Thread(() -> {
            l.lock();
            try {
                while (!aReady) c.await();
            } catch (InterruptedException e) {
                // Ends.
            } finally {
                l.unlock();
            }
        });
        Thread t2 = new Thread(() -> {
            l.lock();
            try {
                while (!bReady) c.await();
            } catch (InterruptedException e) {
                // Ends.
            } finally {
                l.unlock();
            }
        });
        t1.start();
        t2.start();
        l.lock();
        aReady = true;
        c.signal();
        l.unlock();
        l.lock();
        bReady = true;
        c.signal();
        l.unlock();
        t1.join();
        t2.join();
    }
}
