//@ class threads
//@ verdict bug
import java.util.concurrent.CountDownLatch;

/** A thread cannot end while another has its monitor, and so nobody can join it. */
public class EndsBehindItsMonitor {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch joined = new CountDownLatch(1);
        Thread worker = new Thread() {
            @Override
            public void run() {
            } //~ deadlock
        };
        Thread third = new Thread(() -> {
            synchronized (worker) {
                try {
                    joined.await(); //~ deadlock
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        worker.start();
        third.start();
        worker.join(); //~ deadlock
        joined.countDown();
    }
}
