//@ class threads
//@ verdict bug
/** Waiting frees the inner monitor only. */
public class WaitsWithOuterLock {
    static final Object outer = new Object();
    static final Object inner = new Object();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (outer) { //~ deadlock
                synchronized (inner) {
                    ready = true;
                    inner.notify();
                }
            }
        });
        other.start();
        synchronized (outer) {
            synchronized (inner) {
                while (!ready) inner.wait(); //~ deadlock
            }
        }
        other.join();
    }
}
