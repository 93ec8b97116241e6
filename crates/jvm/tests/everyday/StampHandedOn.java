//@ class threads
//@ verdict bug
import java.util.concurrent.locks.StampedLock;

/** The thread that shall give a stamp back reads before, and may have to let a writer go first that waits for that stamp. */
public class StampHandedOn {
    static final StampedLock lock = new StampedLock();
    static int value;

    public static void main(String[] args) {
        long mine = lock.readLock();
        new Thread(() -> {
            long stamp = lock.writeLock(); //~ deadlock
            value++;
            lock.unlockWrite(stamp);
        }).start();
        new Thread(() -> {
            long stamp = lock.readLock(); //~ deadlock
            lock.unlockRead(stamp);
            lock.unlockRead(mine);
        }).start();
    }
}
