//@ class races
//@ verdict ok
//@ racy
import java.util.concurrent.locks.StampedLock;

/** An optimistic read of a stamped lock validates what it has read, but what it reads is in a race. */
public class OptimisticRead {
    static final StampedLock lock = new StampedLock();
    static int x, y;

    public static void main(String[] args) throws InterruptedException {
        Thread mover = new Thread(() -> {
            long stamp = lock.writeLock();
            x++; //~ race
            y++; //~ race
            lock.unlockWrite(stamp);
        });
        mover.start();
        long stamp = lock.tryOptimisticRead();
        int a = x; //~ race
        int b = y; //~ race
        assert !lock.validate(stamp) || a == b;
        mover.join();
    }
}
