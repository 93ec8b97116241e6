import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A semaphore in every way. */
public class Permits {
    static Semaphore semaphore;
    static String log = "";

    static synchronized void note(String what) { log += what + " "; }

    static void act(String what) {
        try {
            switch (what) {
                case "pair" -> { semaphore.acquire(); semaphore.release(); }
                case "take" -> { semaphore.acquire(); note("took"); }
                case "two" -> { semaphore.acquire(2); semaphore.release(2); }
                case "give" -> semaphore.release();
                case "try" -> note(semaphore.tryAcquire() ? "got" : "missed");
                case "timed" -> note(semaphore.tryAcquire(1, 1, TimeUnit.SECONDS) ? "got" : "late");
                case "drain" -> note("drained " + semaphore.drainPermits());
                case "look" -> note("saw " + semaphore.availablePermits());
                case "bad" -> semaphore.release(-1);
            }
        } catch (InterruptedException e) {
            note("interrupted");
        } catch (IllegalArgumentException e) {
            note("refused");
        }
    }

    public static void main(String[] args) throws Exception {
        semaphore = new Semaphore(Integer.parseInt(args[0]));
        Thread[] threads = new Thread[args.length - 1];
        for (int i = 1; i < args.length; i++) {
            String what = args[i];
            Runnable body = what.equals("interrupt") ? () -> threads[0].interrupt() : () -> act(what);
            threads[i - 1] = new Thread(body);
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(log + "left " + semaphore.availablePermits());
    }
}
