/** The same service, repaired: main waits for the worker without the lock. */
public class NestedLockFixed {
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
        }
        worker.join();
    }

    public static void main(String[] args) throws InterruptedException {
        NestedLockFixed service = new NestedLockFixed();
        Thread worker = new Thread(service::work, "worker");
        worker.start();
        service.stop(worker);
    }
}
