import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Two threads meet twice, or one of them only once. This one is wrong. */
public class BarrierTwiceBug {
    public static void main(String[] a) throws Exception {
        CyclicBarrier b = new CyclicBarrier(2);
        Runnable twice = () -> {
            try {
                b.await();
                b.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                // Ends.
            }
        };
        Runnable once = () -> {
            try {
                b.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                // Ends.
            }
        };
        Thread t = new Thread(twice);
        Thread u = new Thread(once);
        t.start();
        u.start();
        t.join();
        u.join();
    }
}
