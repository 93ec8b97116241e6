//@ switches 6
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that wait for different things share one condition, and one of them is signalled. */
public class SignalOne {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int level;

    void awaitLevel(int wanted) {
        lock.lock();
        try {
            while (level < wanted) {
                changed.awaitUninterruptibly(); //~ deadlock
            }
        } finally {
            lock.unlock();
        }
    }

    void raise(boolean all) {
        lock.lock();
        try {
            level++;
            if (all) {
                changed.signalAll();
            } else {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) {
        SignalOne gate = new SignalOne();
        new Thread(() -> gate.awaitLevel(1)).start();
        new Thread(() -> gate.awaitLevel(2)).start();
        gate.raise(args.length > 0);
        gate.raise(args.length > 0);
    }
}
