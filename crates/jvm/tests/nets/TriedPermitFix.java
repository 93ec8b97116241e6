import java.util.concurrent.Semaphore;

/** A permit is tried for while another thread relies on nobody having it. This one is right. */
public class TriedPermitFix {
    static final Semaphore s = new Semaphore(1);
    static volatile int v;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            if (s.tryAcquire()) {
                v = 1;
                s.release();
            }
        });
        t.start();
        s.acquire();
        int r = v;
        v = 5;
        if (v != 5) throw new AssertionError("changed");
        s.release();
        t.join();
    }
}
