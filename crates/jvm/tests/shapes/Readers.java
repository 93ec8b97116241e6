import java.util.concurrent.locks.ReentrantReadWriteLock;

/** So many readers and so many writers of one value; or two locks, each read by one who wants to write the other. */
public class Readers {
    static final ReentrantReadWriteLock first = new ReentrantReadWriteLock();
    static final ReentrantReadWriteLock second = new ReentrantReadWriteLock();
    static int value;

    public static void main(String[] arguments) {
        if (arguments[0].equals("crossed")) {
            new Thread(() -> cross(first, second)).start();
            new Thread(() -> cross(second, first)).start();
            new Thread(Readers::read).start();
            return;
        }
        for (int reader = 0; reader < Integer.parseInt(arguments[0]); reader++) {
            new Thread(Readers::read).start();
        }
        for (int writer = 0; writer < Integer.parseInt(arguments[1]); writer++) {
            new Thread(() -> {
                first.writeLock().lock();
                value++;
                first.writeLock().unlock();
            }).start();
        }
    }

    static void read() {
        first.readLock().lock();
        int seen = value;
        first.readLock().unlock();
    }

    static void cross(ReentrantReadWriteLock held, ReentrantReadWriteLock wanted) {
        held.readLock().lock();
        wanted.writeLock().lock();
        wanted.writeLock().unlock();
        held.readLock().unlock();
    }
}
