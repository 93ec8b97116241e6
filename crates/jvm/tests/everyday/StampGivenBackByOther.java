//@ class threads
//@ verdict ok
import java.util.concurrent.locks.StampedLock;

/** Another thread gives a stamp back than the one that took it. */
public class StampGivenBackByOther {
    static final StampedLock lock = new StampedLock();
    static int value;

    public static void main(String[] args) throws InterruptedException {
        long mine = lock.readLock();
        Thread writer = new Thread(() -> {
            long stamp = lock.writeLock();
            value++;
            lock.unlockWrite(stamp);
        });
        Thread helper = new Thread(() -> lock.unlockRead(mine));
        writer.start();
        helper.start();
        helper.join();
        writer.join();
        assert value == 1;
    }
}
