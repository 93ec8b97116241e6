import java.util.concurrent.Semaphore;

/** Two permits are taken at once, or one after the other. This one is wrong. */
public class TwoPermitsBug {
    static final Semaphore s = new Semaphore(2);
    static void work() {
        try {
            s.acquire();
            s.acquire();
        } catch (InterruptedException e) {
            return;
        }
        s.release(2);
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(TwoPermitsBug::work);
        t.start();
        work();
        t.join();
    }
}
