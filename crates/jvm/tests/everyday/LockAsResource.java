//@ class threads
//@ verdict ok
import java.util.concurrent.locks.ReentrantLock;

/** A lock that is freed by the end of a block, whatever happens there. */
public class LockAsResource {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int count;

    record Held() implements AutoCloseable {
        Held {
            LOCK.lock();
        }

        @Override
        public void close() {
            LOCK.unlock();
        }
    }

    static void add(boolean fail) {
        try (Held held = new Held()) {
            count++;
            if (fail) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            assert !LOCK.isHeldByCurrentThread();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(true));
        other.start();
        add(false);
        other.join();
        assert count == 2;
    }
}
