//@ class loops
//@ verdict bug
/** One thread notifies a few times. Another comes after the last notification and waits for ever. */
public class NotifiesBeforeOthersWait {
    static final Object monitor = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait(); //~ deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        other.start();
        synchronized (monitor) {
            for (int round = 0; round < 3; round++) {
                monitor.notifyAll();
                monitor.wait(10);
            }
        }
        other.join(); //~ deadlock
    }
}
