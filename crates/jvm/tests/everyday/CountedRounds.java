//@ class loops
//@ verdict ok
import java.util.concurrent.locks.ReentrantLock;

/** Rounds are counted while a lock is taken and freed, and every count up to the bound can be seen. */
public class CountedRounds {
    static final ReentrantLock lock = new ReentrantLock();
    static boolean stop;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            lock.lock();
            stop = true;
            lock.unlock();
        });
        other.start();
        int rounds = 0;
        boolean ends = false;
        while (!ends && rounds < 4) {
            lock.lock();
            ends = stop;
            lock.unlock();
            rounds++;
        }
        assert rounds >= 1 && rounds <= 4;
        other.join();
    }
}
