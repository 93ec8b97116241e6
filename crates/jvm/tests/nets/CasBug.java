import java.util.concurrent.atomic.AtomicInteger;

/** A compare-and-set is repeated until it succeeds, or tried once. This one is wrong. */
public class CasBug {
    static final AtomicInteger n = new AtomicInteger();
    static void inc() {
        int v = n.get();
        n.compareAndSet(v, v + 1);
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(CasBug::inc);
        t.start();
        inc();
        t.join();
        if (n.get() != 2) throw new AssertionError("n " + n);
    }
}
