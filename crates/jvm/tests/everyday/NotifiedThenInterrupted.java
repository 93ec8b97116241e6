//@ class threads
//@ verdict ok

/** Without a time limit, an interrupt that comes after the notification does not end the wait. */
public class NotifiedThenInterrupted {
    static final Object monitor = new Object();
    static boolean waits;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                waits = true;
                try {
                    monitor.wait();
                    assert Thread.interrupted();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        waiter.start();
        while (true) {
            synchronized (monitor) {
                if (waits) {
                    monitor.notifyAll();
                    waiter.interrupt();
                    break;
                }
            }
        }
        waiter.join();
    }
}
