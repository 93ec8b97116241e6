//@ switches 0
/** Waits for a thread with the lock in hand that this thread needs. */
public class JoinInside {
    static final Object lock = new Object();
    static int done;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            synchronized (lock) { //~ deadlock
                done++;
            }
        });
        if (args.length > 0) {
            synchronized (lock) {
                worker.start();
            }
            worker.join();
        } else {
            synchronized (lock) {
                worker.start();
                worker.join(); //~ deadlock
            }
        }
    }
}
