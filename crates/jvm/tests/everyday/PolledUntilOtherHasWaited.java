//@ class loops
//@ verdict ok
/** Who polls notifies in each round. The other one waits once, and some round comes after that and wakes it. */
public class PolledUntilOtherHasWaited {
    static final Object monitor = new Object();
    static boolean woken;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                woken = true;
            }
        });
        other.start();
        synchronized (monitor) {
            while (!woken) {
                monitor.notifyAll();
                monitor.wait(10);
            }
        }
        other.join();
    }
}
