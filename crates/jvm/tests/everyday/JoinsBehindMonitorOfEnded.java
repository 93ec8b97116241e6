//@ class threads
//@ verdict bug
/** Who joins takes the monitor of the `Thread`, even if it has ended, and the main thread has that while it waits. */
public class JoinsBehindMonitorOfEnded {
    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> { });
        Thread second = new Thread(() -> {
            try {
                first.join(); //~ deadlock
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        first.join();
        second.start();
        synchronized (first) {
            second.join(); //~ deadlock
        }
    }
}
