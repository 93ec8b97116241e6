//@ switches 1
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The row SOR of table 1, with synchronisation taken away: the second phase needs all of the first. */
public class MissingBarrier {
    static final int[] red = new int[2];
    static final int[] black = new int[2];

    static void relax(int row, CyclicBarrier barrier, boolean fixed) {
        red[row] = row + 1;
        if (fixed) {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
        black[row] = red[0] + red[1];
        assert black[row] == 3 : "row " + row + " is early"; //~ assertion
    }

    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(2);
        boolean fixed = args.length > 0;
        new Thread(() -> relax(0, barrier, fixed)).start();
        new Thread(() -> relax(1, barrier, fixed)).start();
    }
}
