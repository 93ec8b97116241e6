//@ class threads
//@ verdict bug
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** A barrier is broken by an interrupt. */
public class BarrierBroken {
    static boolean broken;

    public static void main(String[] args) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                broken = true;
            }
        });
        other.start();
        other.interrupt();
        other.join();
        assert !broken; //~ assertion
    }
}
