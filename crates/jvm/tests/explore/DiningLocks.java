import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Philosophers whose forks are locks of the library. */
public class DiningLocks {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        Lock[] forks = new Lock[count];
        for (int number = 0; number < count; number++) {
            forks[number] = new ReentrantLock();
        }
        for (int number = 0; number < count; number++) {
            Lock first = forks[number];
            Lock second = forks[(number + count - 1) % count];
            new Thread(() -> {
                for (int meal = 0; meal < 2; meal++) {
                    first.lock();
                    second.lock();
                    second.unlock();
                    first.unlock();
                }
            }).start();
        }
    }
}
