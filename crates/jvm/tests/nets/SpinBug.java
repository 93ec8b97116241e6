import java.util.concurrent.atomic.AtomicBoolean;

/** A spin lock takes the flag when it sees it free, or later. This one is wrong. */
public class SpinBug {
    static final AtomicBoolean l = new AtomicBoolean();
    static int x;
    static void inc() {
        while (l.get()) Thread.onSpinWait();
        x++;
        l.set(false);
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(SpinBug::inc);
        t.start();
        inc();
        t.join();
        if (x != 2) throw new AssertionError("x " + x);
    }
}
