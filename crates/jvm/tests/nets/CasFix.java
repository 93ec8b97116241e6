import java.util.concurrent.atomic.AtomicInteger;

/** A compare-and-set is repeated until it succeeds, or tried once. This one is right. */
public class CasFix {
    static final AtomicInteger n = new AtomicInteger();
    static void inc() {
        int v;
        do {
            v = n.get();
        }
        while (!n.compareAndSet(v, v + 1));
    }
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(CasFix::inc);
        t.start();
        inc();
        t.join();
        if (n.get() != 2) throw new AssertionError("n " + n);
    }
}
