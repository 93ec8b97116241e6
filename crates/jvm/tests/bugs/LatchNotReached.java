//@ switches 2
import java.util.concurrent.CountDownLatch;

/** A worker that finds nothing to do does not count down. */
public class LatchNotReached {
    static int work = 1;

    static synchronized boolean takeWork() {
        if (work == 0) {
            return false;
        }
        work--;
        return true;
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2);
        boolean fixed = args.length > 0;
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                if (takeWork() || fixed) {
                    done.countDown();
                }
            }).start();
        }
        done.await(); //~ deadlock
    }
}
