import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Waiting on conditions in every way, of both kinds of locks. */
public class Conditions {
    static Lock lock;
    static Condition condition;
    static boolean ready;
    static String result = "";

    static void waiter(String how) {
        lock.lock();
        try {
            switch (how) {
                case "await" -> { while (!ready) condition.await(); result += "ready"; }
                case "once" -> { if (!ready) condition.await(); result += ready ? "ready" : "not ready"; }
                case "timed" -> result += condition.await(1, TimeUnit.SECONDS) + " " + ready;
                case "nanos" -> result += (condition.awaitNanos(1_000_000_000L) > 0) + " " + ready;
                case "stubborn" -> {
                    while (!ready) condition.awaitUninterruptibly();
                    result += "ready " + Thread.currentThread().isInterrupted();
                }
            }
        } catch (InterruptedException e) {
            result += "interrupted " + ready + " " + Thread.currentThread().isInterrupted();
        } finally {
            lock.unlock();
        }
    }

    static void signaller(boolean set, boolean all) {
        lock.lock();
        try {
            ready |= set;
            if (all) condition.signalAll(); else condition.signal();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        lock = args[0].equals("write") ? new ReentrantReadWriteLock().writeLock() : new ReentrantLock();
        condition = lock.newCondition();
        Thread waiter = new Thread(() -> waiter(args[1]));
        Thread other = new Thread(() -> {
            switch (args[2]) {
                case "signal" -> signaller(true, false);
                case "all" -> signaller(true, true);
                case "interrupt" -> { waiter.interrupt(); signaller(true, false); }
                case "only" -> waiter.interrupt();
                case "early" -> { condition.signal(); }
            }
        });
        other.setUncaughtExceptionHandler((t, e) -> result += e + " ");
        waiter.start();
        other.start();
        waiter.join();
        other.join();
        System.out.println(result);
    }
}
