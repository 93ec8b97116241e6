//@ class threads
//@ verdict bug
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Who reads looks again and again for a flag that another reader sets, which may have to let a writer go first. */
public class ReaderSpinsBeforeWriter {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static volatile boolean flag;
    static int value;

    public static void main(String[] args) {
        new Thread(() -> {
            lock.readLock().lock(); //~ deadlock
            flag = true;
            lock.readLock().unlock();
        }).start();
        new Thread(() -> {
            lock.writeLock().lock(); //~ deadlock
            value++;
            lock.writeLock().unlock();
        }).start();
        lock.readLock().lock();
        while (!flag) { //~ deadlock
            Thread.onSpinWait();
        }
        lock.readLock().unlock();
    }
}
