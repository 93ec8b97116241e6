import java.util.concurrent.locks.ReentrantLock;

/** Threads with critical sections on one {@code ReentrantLock}. */
public class Locks {
    static final ReentrantLock lock = new ReentrantLock();

    public static void main(String[] args) {
        for (String sections : args) {
            int count = Integer.parseInt(sections);
            new Thread(() -> {
                for (int section = 0; section < count; section++) {
                    lock.lock();
                    try {
                        assert lock.isHeldByCurrentThread();
                    } finally {
                        lock.unlock();
                    }
                }
            }).start();
        }
    }
}
