//@ switches 4
import java.util.concurrent.atomic.AtomicBoolean;

/** The row Mutual of table 1: two threads are in the critical section at once. */
public class Mutual {
    private volatile boolean taken;
    private final AtomicBoolean reallyTaken = new AtomicBoolean();
    private volatile int inside;

    boolean enter(boolean fixed) {
        if (fixed) {
            return reallyTaken.compareAndSet(false, true);
        }
        if (taken) {
            return false;
        }
        taken = true;
        return true;
    }

    void work(int me, boolean fixed) {
        if (enter(fixed)) {
            inside = me;
            assert inside == me : "somebody else is here"; //~ assertion
            reallyTaken.set(false);
            taken = false;
        }
    }

    public static void main(String[] args) {
        Mutual section = new Mutual();
        boolean fixed = args.length > 0;
        for (int number = 1; number <= 2; number++) {
            int me = number;
            new Thread(() -> section.work(me, fixed)).start();
        }
    }
}
