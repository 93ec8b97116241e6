//@ switches 2
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The barrier waits for the main thread, too, which does not come. */
public class BarrierTooLarge {
    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(args.length > 0 ? 2 : 3);
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                try {
                    barrier.await(); //~ deadlock
                } catch (InterruptedException | BrokenBarrierException stopped) {
                    throw new IllegalStateException(stopped);
                }
            }).start();
        }
    }
}
