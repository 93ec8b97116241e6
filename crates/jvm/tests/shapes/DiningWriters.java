import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Philosophers whose forks are the write locks of read-write locks. */
public class DiningWriters {
    private final Lock[] forks;

    DiningWriters(int count) {
        forks = new Lock[count];
        for (int number = 0; number < count; number++) {
            forks[number] = new ReentrantReadWriteLock().writeLock();
        }
    }

    void dine(int number) {
        Lock right = forks[number];
        Lock left = forks[(number + forks.length - 1) % forks.length];
        for (int meal = 0; meal < 2; meal++) {
            right.lock();
            left.lock();
            left.unlock();
            right.unlock();
        }
    }

    public static void main(String[] args) {
        DiningWriters table = new DiningWriters(Integer.parseInt(args[0]));
        for (int number = 0; number < table.forks.length; number++) {
            int own = number;
            new Thread(() -> table.dine(own)).start();
        }
    }
}
