import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Loops that wait by looking, one for each argument. */
public class Spinning {
    static volatile boolean ready, left, right;
    static volatile int turn;
    static boolean guarded;
    static int value;
    static final AtomicInteger taken = new AtomicInteger();
    static final ReentrantLock lock = new ReentrantLock();

    static synchronized boolean isReady() { return guarded; }
    static synchronized void setReady() { value = 42; guarded = true; }

    static void increment() {
        while (!taken.compareAndSet(0, 1)) Thread.yield();
        value++;
        taken.set(0);
    }

    static void tryIncrement() {
        while (!lock.tryLock()) Thread.onSpinWait();
        try { value++; } finally { lock.unlock(); }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "flag" -> {
                Thread t = new Thread(() -> { value = 42; ready = true; });
                t.start();
                while (!ready) { }
            }
            case "never" -> {
                Thread t = new Thread(() -> { value = 42; });
                t.start();
                while (!ready) Thread.onSpinWait();
            }
            case "polled" -> {
                Thread t = new Thread(Spinning::setReady);
                t.start();
                while (!isReady()) Thread.sleep(10);
            }
            case "waited" -> {
                Thread t = new Thread(Spinning::setReady);
                t.start();
                synchronized (Spinning.class) { while (!guarded) Spinning.class.wait(100); }
            }
            case "alive" -> {
                Thread t = new Thread(() -> { value = 42; });
                t.start();
                while (t.isAlive()) Thread.yield();
            }
            case "joined" -> {
                Thread t = new Thread(() -> { value = 42; });
                t.start();
                while (t.isAlive()) t.join(10);
            }
            case "swap" -> run(Spinning::increment);
            case "try" -> run(Spinning::tryIncrement);
            case "peterson" -> {
                Thread t = new Thread(() -> {
                    left = true; turn = 1;
                    while (right && turn == 1) { }
                    value++; left = false;
                });
                Thread u = new Thread(() -> {
                    right = true; turn = 0;
                    while (left && turn == 0) { }
                    value++; right = false;
                });
                t.start(); u.start(); t.join(); u.join();
            }
        }
        System.out.println(value);
    }

    static void run(Runnable work) throws InterruptedException {
        Thread t = new Thread(work), u = new Thread(work);
        t.start(); u.start(); t.join(); u.join();
    }
}
