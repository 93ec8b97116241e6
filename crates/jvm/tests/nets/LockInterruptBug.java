import java.util.concurrent.locks.ReentrantLock;

/** A deadlock of two locks is resolved by an interrupt, or not. This one is wrong. */
public class LockInterruptBug {
    static final ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
    public static void main(String[] x) throws Exception {
        Thread t = new Thread(() -> {
            a.lock();
            try {
                b.lock();
                b.unlock();
            } catch (Exception e) {
                // Ends.
            } finally {
                a.unlock();
            }
        });
        t.start();
        b.lock();
        t.interrupt();
        a.lock();
        a.unlock();
        b.unlock();
        t.join();
    }
}
