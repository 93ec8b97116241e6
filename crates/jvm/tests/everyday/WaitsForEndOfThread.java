//@ class threads
//@ verdict ok

/** A thread that ends notifies those who wait on it, and cannot end while they look whether it is alive. */
public class WaitsForEndOfThread {
    static int result;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> result = 1);
        worker.start();
        synchronized (worker) {
            while (worker.isAlive()) {
                worker.wait();
            }
        }
        assert result == 1;
    }
}
