//@ switches 3
/**
 * A driver is stopped while a thread enters it: the row Bluetooth of table 1. The one that enters
 * looks at the flag first and counts itself in afterwards.
 */
public class Bluetooth {
    private final boolean fixed;
    private int pending = 1;
    private volatile boolean stopping;
    private volatile boolean drained;
    private volatile boolean stopped;

    Bluetooth(boolean fixed) {
        this.fixed = fixed;
    }

    private synchronized void count(int change) {
        pending += change;
        if (pending == 0) {
            drained = true;
        }
    }

    /** Counts itself in, and out again if it is too late. */
    private boolean enter() {
        if (fixed) {
            count(1);
            return !stopping;
        }
        if (stopping) {
            return false;
        }
        count(1);
        return true;
    }

    void add() {
        if (enter()) {
            assert !stopped : "works on a stopped device"; //~ assertion
            count(-1);
        } else if (fixed) {
            count(-1);
        }
    }

    void stop() {
        stopping = true;
        count(-1);
        while (!drained) {
            Thread.onSpinWait();
        }
        stopped = true;
    }

    public static void main(String[] args) {
        Bluetooth driver = new Bluetooth(args.length > 0);
        new Thread(driver::add).start();
        driver.stop();
    }
}
