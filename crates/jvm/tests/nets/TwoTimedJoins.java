/** Joins with time limits, and a look at whether a thread has ended: its last step frees a lock. */
public class TwoTimedJoins {
    static int done;
    static final Object lock = new Object();

    static Thread counter() {
        Thread counter = new Thread(() -> {
            synchronized (lock) {
                done++;
            }
        });
        counter.start();
        return counter;
    }

    static int seen() {
        synchronized (lock) {
            return done;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = counter();
        Thread other = counter();
        one.join(50);
        other.join(50);
        if (one.getState() == Thread.State.TERMINATED && seen() == 0) {
            throw new AssertionError("ended without counting");
        }
        if (seen() == 1) {
            throw new IllegalStateException("only one has counted in time");
        }
    }
}
