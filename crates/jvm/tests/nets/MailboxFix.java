/** Two producers and a consumer exchange numbers through one slot. This one is right. */
public class MailboxFix {
    static Integer slot;
    static final Object m = new Object();
    static void put(int v) throws InterruptedException {
        synchronized (m) {
            while (slot != null) m.wait();
            slot = v;
            m.notifyAll();
        }
    }
    static int take() throws InterruptedException {
        synchronized (m) {
            while (slot == null) m.wait();
            int v = slot;
            slot = null;
            m.notifyAll();
            return v;
        }
    }
    public static void main(String[] a) throws Exception {
        Thread p1 = new Thread(() -> {
            try {
                put(1);
            } catch (InterruptedException e) {
                // Ends.
            }
        });
        Thread p2 = new Thread(() -> {
            try {
                put(2);
            } catch (InterruptedException e) {
                // Ends.
            }
        });
        p1.start();
        p2.start();
        int s = take() + take();
        if (s != 3) throw new AssertionError("lost " + s);
        p1.join();
        p2.join();
    }
}
