import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The parts of a sum are complete once everybody has come to the barrier. This one is wrong. */
public class BarrierBug {
    static int[] part = new int[2];
    static int sum = -1;
    public static void main(String[] a) throws Exception {
        CyclicBarrier b = new CyclicBarrier(2, () -> {
            sum = part[0] + part[1];
        });
        Thread[] ts = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int k = i;
            ts[i] = new Thread(() -> {
                part[k] = k + 1;
                try {
                    if (sum != 3) throw new AssertionError("sum " + sum);
                    b.await();
                } catch (InterruptedException | BrokenBarrierException e) {
                    // Ends.
                }
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }
}
