/**
 * Main stops a worker and waits for its end, holding the lock that the worker needs to get there.
 */
public class NestedLock {
    private final Object lock = new Object();
    private boolean stopped;

    void work() {
        synchronized (lock) {
            if (!stopped) {
                System.out.println("working");
            }
        }
    }

    void stop(Thread worker) throws InterruptedException {
        synchronized (lock) {
            stopped = true;
            worker.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NestedLock service = new NestedLock();
        Thread worker = new Thread(service::work, "worker");
        worker.start();
        service.stop(worker);
    }
}
