import java.util.concurrent.Semaphore;

/** Two permits are taken at once, or one after the other. This one is right. */
public class TwoPermitsFix {
    static final Semaphore s = new Semaphore(2);
    static void work() {
        try {
            s.acquire(2);
        } catch (InterruptedException e) {
            return;
        }
        s.release(2);
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(TwoPermitsFix::work);
        t.start();
        work();
        t.join();
    }
}
