//@ class threads
//@ verdict bug

/** Who waits on a thread without a look may begin when it has ended already. */
public class WaitsForEndTooLate {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {});
        worker.start();
        synchronized (worker) {
            worker.wait(); //~ deadlock
        }
    }
}
