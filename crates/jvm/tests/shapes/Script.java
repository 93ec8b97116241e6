import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A thread for each argument, which says what it does: `r0` and `e0` begin and end to read with lock 0, `w1` and `v1` to write
 * with lock 1, `d2` opens latch 2 and `a2` waits for that.
 */
public class Script {
    static final ReentrantReadWriteLock[] locks = { new ReentrantReadWriteLock(), new ReentrantReadWriteLock() };
    static final CountDownLatch[] latches = {
        new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)
    };

    public static void main(String[] threads) {
        for (String steps : threads) {
            new Thread(() -> perform(steps)).start();
        }
    }

    static void perform(String steps) {
        for (int at = 0; at + 1 < steps.length(); at += 2) {
            int which = steps.charAt(at + 1) - '0';
            switch (steps.charAt(at)) {
                case 'r': locks[which].readLock().lock(); break;
                case 'e': locks[which].readLock().unlock(); break;
                case 'w': locks[which].writeLock().lock(); break;
                case 'v': locks[which].writeLock().unlock(); break;
                case 'd': latches[which].countDown(); break;
                default:
                    try {
                        latches[which].await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
            }
        }
    }
}
