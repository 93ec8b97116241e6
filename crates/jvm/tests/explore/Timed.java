/** A wait with a time limit ends woken or not. */
public class Timed {
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Object monitor = new Object();
        Thread thread = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
                monitor.notify();
            }
        });
        thread.start();
        synchronized (monitor) {
            if (!ready) {
                monitor.wait(100);
            }
            System.out.println(ready);
        }
    }
}
