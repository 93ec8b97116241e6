import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A thread is interrupted while it waits, and what it waits for happens; the argument says what. */
public class Interrupts {
    static String result;
    static final Semaphore SEMAPHORE = new Semaphore(0);
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ReentrantReadWriteLock BOTH = new ReentrantReadWriteLock();
    static final CountDownLatch LATCH = new CountDownLatch(1);
    static final LinkedBlockingQueue<String> QUEUE = new LinkedBlockingQueue<>();

    static String act(String what) throws InterruptedException {
        switch (what) {
            case "semaphore": case "early": SEMAPHORE.acquire(); return "got";
            case "itself": Thread.currentThread().interrupt(); SEMAPHORE.acquire(); return "got";
            case "lock": LOCK.lockInterruptibly(); return "got";
            case "try": return LOCK.tryLock(1, TimeUnit.SECONDS) ? "got" : "late";
            case "read": BOTH.readLock().lockInterruptibly(); return "got";
            case "latch": return LATCH.await(1, TimeUnit.SECONDS) ? "got" : "late";
            case "queue": return QUEUE.take();
            case "sleep": Thread.sleep(10); return "slept";
            default: throw new IllegalArgumentException(what);
        }
    }

    public static void main(String[] arguments) throws Exception {
        String what = arguments[0];
        LOCK.lock();
        BOTH.writeLock().lock();
        Thread thread = new Thread(() -> {
            try {
                result = act(what);
            } catch (InterruptedException interrupted) {
                result = "interrupted";
            }
            result += Thread.currentThread().isInterrupted() ? " still" : "";
        });
        if (what.equals("early")) {
            thread.interrupt();
        }
        thread.start();
        if (!what.equals("early") && !what.equals("itself")) {
            thread.interrupt();
        }
        switch (what) {
            case "lock": case "try": LOCK.unlock(); break;
            case "read": BOTH.writeLock().unlock(); break;
            case "latch": LATCH.countDown(); break;
            case "queue": QUEUE.put("got"); break;
            default: SEMAPHORE.release();
        }
        thread.join();
        System.out.println(result);
    }
}
