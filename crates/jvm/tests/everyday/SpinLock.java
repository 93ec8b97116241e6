//@ class loops
//@ verdict ok
import java.util.concurrent.atomic.AtomicBoolean;

/** A lock of one's own that spins. */
public class SpinLock {
    static final AtomicBoolean taken = new AtomicBoolean();
    static int count;

    static void increment() {
        while (!taken.compareAndSet(false, true)) Thread.onSpinWait();
        count++;
        taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(SpinLock::increment);
        Thread two = new Thread(SpinLock::increment);
        one.start();
        two.start();
        one.join();
        two.join();
        assert count == 2;
    }
}
