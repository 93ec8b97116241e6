import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Threads that change what they share in critical sections on one lock of a kind: the first argument
 * names it, the others say how many sections each thread has.
 */
public class LockingKinds {
    static int one;
    static int two;
    int three;

    private final Lock reentrant = new ReentrantLock();
    private final Lock fair = new ReentrantLock(true);
    private final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    private final Semaphore permit = new Semaphore(1);
    private static final Object monitor = new Object();

    void change(int value) {
        one = value;
        two = one + 1;
        three += two;
    }

    void guarded(Lock lock, int value) {
        lock.lock();
        try {
            change(value);
        } finally {
            lock.unlock();
        }
    }

    synchronized void method(int value) {
        change(value);
    }

    static synchronized void classMethod(LockingKinds shared, int value) {
        shared.change(value);
    }

    synchronized void nested(int value) {
        synchronized (this) {
            method(value);
        }
    }

    void section(String kind, int value) {
        switch (kind) {
            case "block" -> {
                synchronized (monitor) {
                    change(value);
                }
            }
            case "method" -> method(value);
            case "class" -> classMethod(this, value);
            case "nested" -> nested(value);
            case "reentrant" -> guarded(reentrant, value);
            case "fair" -> guarded(fair, value);
            case "writers" -> guarded(readWrite.writeLock(), value);
            case "permit" -> {
                permit.acquireUninterruptibly();
                change(value);
                permit.release();
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] args) {
        LockingKinds shared = new LockingKinds();
        String kind = args[0];
        for (int number = 1; number < args.length; number++) {
            int sections = Integer.parseInt(args[number]);
            int value = number;
            new Thread() {
                @Override
                public void run() {
                    for (int section = 0; section < sections; section++) {
                        shared.section(kind, value);
                    }
                }
            }.start();
        }
    }
}
