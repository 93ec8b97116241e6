//@ class races
//@ verdict ok
/** A monitor orders what comes before a notification and after the wait. */
public class WaitAndNotifyOrder {
    static int data;
    static boolean ready;
    static final Object monitor = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            data = 5;
            synchronized (monitor) {
                ready = true;
                monitor.notifyAll();
            }
        });
        other.start();
        synchronized (monitor) {
            while (!ready) monitor.wait();
        }
        assert data == 5;
        data = 6;
        other.join();
    }
}
