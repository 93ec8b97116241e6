import java.util.concurrent.locks.StampedLock;

/** Two writers and readers that look first and lock only if somebody has written meanwhile. */
public class Stamps {
    static final StampedLock lock = new StampedLock();
    static int value;

    public static void main(String[] arguments) {
        for (int writer = 0; writer < 2; writer++) {
            new Thread(() -> {
                long stamp = lock.writeLock();
                value++;
                lock.unlockWrite(stamp);
            }).start();
        }
        for (int reader = 0; reader < Integer.parseInt(arguments[0]); reader++) {
            new Thread(() -> {
                long stamp = lock.tryOptimisticRead();
                int seen = value;
                if (!lock.validate(stamp)) {
                    stamp = lock.readLock();
                    seen = value;
                    lock.unlockRead(stamp);
                }
            }).start();
        }
    }
}
