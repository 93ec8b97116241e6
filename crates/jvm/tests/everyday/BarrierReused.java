//@ class threads
//@ verdict ok
import java.util.concurrent.CyclicBarrier;

/** A barrier is used twice, and its action runs once for each. */
public class BarrierReused {
    static int rounds;

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2, () -> rounds++);
        Thread other = new Thread(() -> {
            try {
                barrier.await();
                barrier.await();
            } catch (Exception e) {
                throw new Error(e);
            }
        });
        other.start();
        barrier.await();
        assert rounds >= 1;
        barrier.await();
        assert rounds == 2;
        other.join();
    }
}
