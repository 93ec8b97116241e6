//@ class threads
//@ verdict bug
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The time of a wait can pass while the other thread, which has the lock, makes what it waits for true. */
public class TimeUpThoughReady {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            lock.lock();
            try {
                ready = true;
                changed.signal();
            } finally {
                lock.unlock();
            }
        });
        other.start();
        lock.lock();
        try {
            if (!ready && !changed.await(5, TimeUnit.MILLISECONDS) && ready) {
                throw new IllegalStateException("too late by a hair"); //~ exception
            }
        } finally {
            lock.unlock();
        }
        other.join();
    }
}
