//@ class threads
//@ verdict bug
/** A thread that swallows its interrupt goes on for ever. */
public class InterruptSwallowed {
    static boolean stop;

    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                while (!stop) {
                    try {
                        lock.wait(); //~ deadlock
                    } catch (InterruptedException e) {
                        // Nobody has said to stop.
                    }
                }
            }
        });
        other.start();
        other.interrupt();
        other.join(); //~ deadlock
    }
}
