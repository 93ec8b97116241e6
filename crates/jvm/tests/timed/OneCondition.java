import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A thread waits for a condition of a lock for a while; it is signalled, and then it is interrupted. */
public class OneCondition {
    static boolean set;
    static String ending = "";

    public static void main(String[] args) throws InterruptedException {
        Lock lock = args.length > 0 ? new ReentrantReadWriteLock().writeLock() : new ReentrantLock();
        Condition condition = lock.newCondition();
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                ending += condition.await(10, TimeUnit.MILLISECONDS) ? "signalled" : "late";
            } catch (InterruptedException e) {
                ending += "interrupted";
            }
            ending += set;
            lock.unlock();
        });
        waiter.start();
        lock.lock();
        set = true;
        condition.signal();
        lock.unlock();
        waiter.interrupt();
        waiter.join();
        System.out.println(ending);
    }
}
