import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Two threads that meet, with an action or an interrupt. */
public class Barriers {
    static int a, b, sum;
    static boolean interrupted, broken;

    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (BrokenBarrierException e) {
            broken = true;
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = args[0].equals("action")
            ? new CyclicBarrier(2, () -> sum = a + b)
            : new CyclicBarrier(2);
        Thread left = new Thread(() -> { a = 1; meet(barrier); if (args[0].equals("twice")) { a += b; meet(barrier); } });
        Thread right = new Thread(() -> { b = 2; meet(barrier); if (args[0].equals("twice")) { meet(barrier); b += a; } });
        left.start();
        right.start();
        if (args[0].equals("interrupt")) left.interrupt();
        left.join();
        right.join();
        System.out.println((interrupted ? "interrupted " : "") + (broken ? "broken " : "") + a + " " + b + " " + sum + " " + barrier.isBroken());
    }
}
