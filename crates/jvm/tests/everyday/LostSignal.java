//@ class threads
//@ verdict bug
/** A signal that comes before the wait is lost. */
public class LostSignal {
    static final Object monitor = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (monitor) { monitor.notify(); }
        });
        other.start();
        synchronized (monitor) {
            monitor.wait(); //~ deadlock
        }
        other.join();
    }
}
