//@ class threads
//@ verdict ok

/** The flag says that the thread is about to end: it cannot before the other waits, who has its monitor. */
public class WaitsUnlessDone {
    static volatile boolean done;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> done = true);
        worker.start();
        synchronized (worker) {
            if (!done) {
                worker.wait();
            }
        }
        assert done;
    }
}
