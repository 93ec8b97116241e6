//@ class threads
//@ verdict bug
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.StampedLock;

/** Who has written goes on reading and waits for a reader that has come behind another writer. */
public class StampedReaderBehindWriter {
    static final StampedLock lock = new StampedLock();
    static final CountDownLatch done = new CountDownLatch(1);
    static int value;

    static void write() {
        long stamp = lock.writeLock(); //~ deadlock
        value++;
        lock.unlockWrite(stamp);
    }

    static void read() {
        long stamp = lock.readLock(); //~ deadlock
        int seen = value;
        lock.unlockRead(stamp);
        done.countDown();
    }

    public static void main(String[] args) throws InterruptedException {
        long stamp = lock.writeLock();
        new Thread(StampedReaderBehindWriter::write).start();
        new Thread(StampedReaderBehindWriter::read).start();
        stamp = lock.tryConvertToReadLock(stamp);
        done.await(); //~ deadlock
        lock.unlockRead(stamp);
    }
}
