//@ class loops
//@ verdict bug
import java.util.concurrent.atomic.AtomicBoolean;

/** The same, but one path does not free the lock. */
public class SpinLockNotFreed {
    static final AtomicBoolean taken = new AtomicBoolean();

    static void enter(boolean leave) {
        while (!taken.compareAndSet(false, true)) Thread.onSpinWait(); //~ deadlock
        if (leave) taken.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> enter(true));
        Thread two = new Thread(() -> enter(false));
        one.start();
        two.start();
        two.join();
        one.join(); //~ deadlock
    }
}
