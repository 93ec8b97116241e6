//@ class threads
//@ verdict bug

/** Time passes on a monitor as well before an interrupt comes: then waiting ends as it does without one. */
public class MonitorTimeUpThenInterrupted {
    static final Object monitor = new Object();
    static boolean stopped;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                if (stopped) return;
                try {
                    monitor.wait(5);
                    if (stopped) throw new IllegalStateException("not told"); //~ exception
                } catch (InterruptedException e) {
                    assert stopped;
                }
            }
        });
        waiter.start();
        synchronized (monitor) {
            stopped = true;
            waiter.interrupt();
        }
        waiter.join();
    }
}
