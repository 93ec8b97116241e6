//@ switches 3
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Three threads, each with two of three locks, in a circle. */
public class ThreeLocks {
    static final Lock[] locks = {new ReentrantLock(), new ReentrantLock(), new ReentrantLock()};

    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        for (int number = 0; number < 3; number++) {
            int one = number;
            int two = (number + 1) % 3;
            Lock first = locks[fixed ? Math.min(one, two) : one];
            Lock second = locks[fixed ? Math.max(one, two) : two];
            new Thread(() -> {
                first.lock();
                second.lock(); //~ deadlock
                second.unlock();
                first.unlock();
            }).start();
        }
    }
}
