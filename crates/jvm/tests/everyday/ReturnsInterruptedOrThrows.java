//@ class threads
//@ verdict bug

/** The time of a wait may have passed before it is notified: then an interrupt that comes next ends it. */
public class ReturnsInterruptedOrThrows {
    static final Object monitor = new Object();
    static boolean waits;
    static boolean told;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                waits = true;
                try {
                    monitor.wait(5);
                } catch (InterruptedException e) {
                    if (told) throw new IllegalStateException("told, and yet interrupted"); //~ exception
                }
            }
        });
        waiter.start();
        synchronized (monitor) {
            if (waits) {
                told = true;
                monitor.notifyAll();
                waiter.interrupt();
            }
        }
        waiter.join();
    }
}
