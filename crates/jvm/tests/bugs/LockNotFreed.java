//@ switches 1
import java.util.concurrent.locks.ReentrantLock;

/** An early return keeps the lock. */
public class LockNotFreed {
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    void use() {
        lock.lock();
        if (closed) {
            return;
        }
        lock.unlock();
    }

    void useCarefully() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        closed = true;
        lock.unlock();
        lock.lock(); //~ deadlock
        lock.unlock();
    }

    public static void main(String[] args) {
        LockNotFreed shared = new LockNotFreed();
        Runnable use = args.length > 0 ? shared::useCarefully : shared::use;
        new Thread(use).start();
        shared.close();
    }
}
