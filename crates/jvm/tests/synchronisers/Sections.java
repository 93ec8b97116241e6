import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Threads with so many critical sections each, protected by a kind of lock. */
public class Sections {
    static final Semaphore semaphore = new Semaphore(1);
    static Lock lock;
    static int entered;

    static void sections(String kind, int count) {
        for (int i = 0; i < count; i++) {
            switch (kind) {
                case "monitor" -> {
                    synchronized (Sections.class) { entered++; }
                }
                case "semaphore" -> {
                    semaphore.acquireUninterruptibly();
                    try { entered++; } finally { semaphore.release(); }
                }
                default -> {
                    lock.lock();
                    try { entered++; } finally { lock.unlock(); }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        lock = switch (args[0]) {
            case "fair" -> new ReentrantLock(true);
            case "write" -> new ReentrantReadWriteLock().writeLock();
            default -> new ReentrantLock();
        };
        int total = 0;
        Thread[] threads = new Thread[args.length - 1];
        for (int i = 1; i < args.length; i++) {
            int count = Integer.parseInt(args[i]);
            total += count;
            threads[i - 1] = new Thread(() -> sections(args[0], count));
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        if (entered != total) throw new AssertionError(entered);
    }
}
