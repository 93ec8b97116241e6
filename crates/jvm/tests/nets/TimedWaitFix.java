/** A wait with a time limit is repeated, or taken for a notification. This one is right. */
public class TimedWaitFix {
    static final Object m = new Object();
    static boolean ready;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (m) {
                ready = true;
                m.notify();
            }
        });
        t.start();
        synchronized (m) {
            if (!ready) m.wait(100);
            while (!ready) m.wait();
            if (!ready) throw new AssertionError("timed out");
        }
        t.join();
    }
}
