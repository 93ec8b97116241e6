/** A thread waits for a notification that may come before it waits. This one is wrong. */
public class GateBug {
    static boolean open;
    static final Object m = new Object();
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            try {
                synchronized (m) {
                    m.wait();
                }
            } catch (InterruptedException e) {
                // Ends.
            }
        });
        t.start();
        synchronized (m) {
            open = true;
            m.notify();
        }
        t.join();
    }
}
