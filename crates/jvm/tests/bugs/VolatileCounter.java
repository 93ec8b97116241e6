//@ switches 2
import java.util.concurrent.atomic.AtomicInteger;

/** A volatile field is read and written back, which is not one step. */
public class VolatileCounter {
    static volatile int hits;
    static final AtomicInteger safeHits = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        boolean fixed = args.length > 0;
        Thread other = new Thread() {
            @Override
            public void run() {
                if (fixed) {
                    safeHits.incrementAndGet();
                } else {
                    hits++;
                }
            }
        };
        other.start();
        if (fixed) {
            safeHits.incrementAndGet();
        } else {
            hits += 1;
        }
        other.join();
        int seen = fixed ? safeHits.get() : hits;
        if (seen != 2) {
            throw new IllegalStateException("only " + seen); //~ exception
        }
    }
}
