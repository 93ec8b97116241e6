/** A thread waits for a notification that may come before it waits. This one is right. */
public class GateFix {
    static boolean open;
    static final Object m = new Object();
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            try {
                synchronized (m) {
                    while (!open) m.wait();
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
