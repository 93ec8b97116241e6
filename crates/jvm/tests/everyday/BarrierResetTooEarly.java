//@ class threads
//@ verdict bug
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** A barrier is reset to send away who waits, but who comes later waits for ever. */
public class BarrierResetTooEarly {
    public static void main(String[] args) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread waiter = new Thread(() -> {
            try {
                barrier.await(); //~ deadlock
            } catch (BrokenBarrierException | InterruptedException e) {
                // Sent away.
            }
        });
        waiter.start();
        barrier.reset();
        waiter.join(); //~ deadlock
    }
}
