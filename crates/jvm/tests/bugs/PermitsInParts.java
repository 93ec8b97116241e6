//@ switches 2
import java.util.concurrent.Semaphore;

/** Two threads need two permits each, of two, and take them one after the other. */
public class PermitsInParts {
    public static void main(String[] args) {
        Semaphore permits = new Semaphore(2);
        boolean fixed = args.length > 0;
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                if (fixed) {
                    permits.acquireUninterruptibly(2);
                } else {
                    permits.acquireUninterruptibly();
                    permits.acquireUninterruptibly(); //~ deadlock
                }
                permits.release(2);
            }).start();
        }
    }
}
