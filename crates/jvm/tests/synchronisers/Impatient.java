import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Taking a lock that can be interrupted or has a time limit. */
public class Impatient {
    static final ReentrantLock lock = new ReentrantLock();
    static String result = "";

    static void act(String how) {
        try {
            if (how.equals("timed")) {
                if (!lock.tryLock(1, TimeUnit.SECONDS)) { result += "late "; return; }
            } else {
                lock.lockInterruptibly();
            }
            try { result += "in " + Thread.currentThread().isInterrupted() + " "; } finally { lock.unlock(); }
        } catch (InterruptedException e) {
            result += "interrupted " + Thread.currentThread().isInterrupted() + " ";
        }
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> act(args[0]));
        lock.lock();
        thread.start();
        if (args.length > 1) thread.interrupt();
        lock.unlock();
        thread.join();
        System.out.println(result + lock.isLocked());
    }
}
