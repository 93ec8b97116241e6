import java.util.concurrent.atomic.AtomicBoolean;

/** A spin lock takes the flag when it sees it free, or later. This one is right. */
public class SpinFix {
    static final AtomicBoolean l = new AtomicBoolean();
    static int x;
    static void inc() {
        while (!l.compareAndSet(false, true)) Thread.onSpinWait();
        x++;
        l.set(false);
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(SpinFix::inc);
        t.start();
        inc();
        t.join();
        if (x != 2) throw new AssertionError("x " + x);
    }
}
