//@ class natives
//@ verdict ok
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Field updaters are atomic. */
public class UpdaterCounts {
    volatile int count;
    volatile String text = "";
    static final AtomicIntegerFieldUpdater<UpdaterCounts> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(UpdaterCounts.class, "count");
    static final AtomicReferenceFieldUpdater<UpdaterCounts, String> TEXT =
        AtomicReferenceFieldUpdater.newUpdater(UpdaterCounts.class, String.class, "text");

    public static void main(String[] args) throws InterruptedException {
        UpdaterCounts shared = new UpdaterCounts();
        Thread other = new Thread(() -> {
            COUNT.incrementAndGet(shared);
            TEXT.accumulateAndGet(shared, "a", String::concat);
        });
        other.start();
        COUNT.addAndGet(shared, 2);
        TEXT.accumulateAndGet(shared, "b", String::concat);
        other.join();
        assert shared.count == 3;
        assert shared.text.length() == 2;
    }
}
