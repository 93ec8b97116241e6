import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that are interrupted while they wait, and notified. */
public class Interrupted {
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition condition = lock.newCondition();
    static final String[] seen = {"", ""};

    static void await(int place) {
        synchronized (monitor) {
            try {
                monitor.wait();
                seen[place] = "woken";
            } catch (InterruptedException e) {
                seen[place] = "thrown";
            }
        }
    }

    static void awaitCondition() {
        lock.lock();
        try {
            condition.await();
            seen[0] = "woken " + Thread.currentThread().isInterrupted();
        } catch (InterruptedException e) {
            seen[0] = "thrown";
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        String mode = args.length > 0 ? args[0] : "";
        Thread first = new Thread(mode.equals("condition") ? Interrupted::awaitCondition : () -> await(0));
        Thread second = new Thread(() -> await(1));
        first.start();
        if (mode.equals("two")) second.start();
        first.interrupt();
        if (mode.equals("condition")) {
            lock.lock();
            condition.signal();
            lock.unlock();
        } else {
            synchronized (monitor) {
                if (mode.equals("all")) monitor.notifyAll();
                else monitor.notify();
            }
        }
        first.join();
        if (mode.equals("two")) {
            second.interrupt();
            second.join();
        }
        System.out.println(seen[0] + " " + seen[1]);
    }
}
