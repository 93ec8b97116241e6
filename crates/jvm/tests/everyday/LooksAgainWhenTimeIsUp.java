//@ class threads
//@ verdict ok
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What is waited for is looked at again when the time is up. */
public class LooksAgainWhenTimeIsUp {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static int value;
    static boolean ready;

    static Integer take() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(5);
            while (!ready) {
                if (left <= 0) return null;
                left = changed.awaitNanos(left);
            }
            return value;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            lock.lock();
            try {
                value = 7;
                ready = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
        other.start();
        Integer taken = take();
        assert taken == null || taken == 7;
        other.join();
    }
}
