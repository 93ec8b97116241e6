/** A wait is ended by an interrupt, which is told apart from a notification, or not. This one is wrong. */
public class InterruptBug {
    static final Object m = new Object();
    static boolean done;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (m) {
                try {
                    while (!done) m.wait();
                } catch (InterruptedException e) {
                    // Ends.
                }
            }
            if (!done) throw new AssertionError("not done");
        });
        t.start();
        t.interrupt();
        synchronized (m) {
            done = true;
            m.notifyAll();
        }
        t.join();
    }
}
