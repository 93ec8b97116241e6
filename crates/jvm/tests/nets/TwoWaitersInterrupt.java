/** One of two waiting threads is notified and one is interrupted; a notification can be lost on neither. */
public class TwoWaitersInterrupt {
    static final Object monitor = new Object();
    static int notified;

    static void await() {
        synchronized (monitor) {
            try {
                monitor.wait();
                notified++;
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(TwoWaitersInterrupt::await);
        Thread second = new Thread(TwoWaitersInterrupt::await);
        first.start();
        second.start();
        first.interrupt();
        synchronized (monitor) {
            monitor.notify();
        }
        second.join();
        if (notified != 1) {
            throw new AssertionError(notified + " notified");
        }
    }
}
