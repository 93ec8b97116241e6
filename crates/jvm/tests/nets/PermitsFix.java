import java.util.concurrent.Semaphore;

/** A semaphore guards a section for one, with as many permits as it should have or more. This one is right. */
public class PermitsFix {
    static final Semaphore s = new Semaphore(1);
    static int inside = 0, max = 0;
    static final Object m = new Object();
    static void work() {
        try {
            s.acquire();
        } catch (InterruptedException e) {
            return;
        }
        synchronized (m) {
            inside++;
            if (inside > 1) throw new AssertionError("two inside");
        }
        synchronized (m) {
            inside--;
        }
        s.release();
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(PermitsFix::work);
        t.start();
        work();
        t.join();
    }
}
