//@ class threads
//@ verdict ok

/** Two interrupts while somebody waits on a monitor are one. */
public class InterruptedTwiceInMonitor {
    static final Object monitor = new Object();
    static boolean waits;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                waits = true;
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    assert !Thread.interrupted();
                }
            }
        });
        waiter.start();
        while (true) {
            synchronized (monitor) {
                if (waits) {
                    waiter.interrupt();
                    waiter.interrupt();
                    break;
                }
            }
        }
        waiter.join();
    }
}
