import java.util.concurrent.locks.ReentrantLock;

/** Two threads take a monitor and a lock in opposite orders, while a third one tries the lock. */
public class TriedLock {
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();
    static String tried;

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(() -> {
            synchronized (monitor) {
                lock.lock();
                lock.unlock();
            }
        });
        Thread tries = new Thread(() -> {
            if (lock.tryLock()) {
                tried = "free";
                lock.unlock();
            } else {
                tried = "busy";
            }
        });
        Thread other = new Thread(() -> {
            lock.lock();
            synchronized (monitor) {
            }
            lock.unlock();
        });
        one.start();
        tries.start();
        other.start();
        one.join();
        tries.join();
        other.join();
        System.out.println(tried);
    }
}
