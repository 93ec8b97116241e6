/** Two threads count under every kind of lock. The race loses updates, the others do not. */
public class Counter {
    static int racy, synced, volatileRacy;
    static volatile int flag;
    static final Object lock = new Object();
    static final java.util.concurrent.atomic.AtomicInteger atomic = new java.util.concurrent.atomic.AtomicInteger();
    static final java.util.concurrent.locks.ReentrantLock reentrant = new java.util.concurrent.locks.ReentrantLock();
    static int locked;
    int instance;
    synchronized void add() { instance++; }

    public static void main(String[] args) throws InterruptedException {
        Counter shared = new Counter();
        Runnable work = () -> {
            for (int i = 0; i < 3; i++) {
                racy++;
                synchronized (lock) { synced++; }
                atomic.incrementAndGet();
                shared.add();
                reentrant.lock();
                try { locked++; } finally { reentrant.unlock(); }
                flag = 1;
            }
        };
        Thread a = new Thread(work), b = new Thread(work);
        a.start();
        b.start();
        a.join();
        b.join();
        if (racy < 2 || racy > 6) throw new AssertionError("racy " + racy);
        System.out.println(synced + " " + atomic + " " + shared.instance + " " + locked + " " + flag);
    }
}
