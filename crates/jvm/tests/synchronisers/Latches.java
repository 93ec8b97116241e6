import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Latches as gates and as meeting points. */
public class Latches {
    static CountDownLatch latch;
    static int[] done;
    static String log = "";

    static synchronized void note(String what) { log += what + " "; }

    static void act(int index, String what) {
        try {
            switch (what) {
                case "down" -> { done[index] = 1; latch.countDown(); }
                case "await" -> { latch.await(); note(java.util.Arrays.toString(done)); }
                case "timed" -> note(latch.await(1, TimeUnit.SECONDS) ? "passed" : "late");
                case "look" -> note("count " + latch.getCount());
            }
        } catch (InterruptedException e) {
            note("interrupted");
        }
    }

    public static void main(String[] args) throws Exception {
        latch = new CountDownLatch(Integer.parseInt(args[0]));
        Thread[] threads = new Thread[args.length - 1];
        done = new int[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            String what = args[i + 1];
            Runnable body = what.equals("interrupt") ? () -> threads[0].interrupt() : () -> act(index, what);
            threads[i] = new Thread(body);
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(log + latch.getCount());
    }
}
