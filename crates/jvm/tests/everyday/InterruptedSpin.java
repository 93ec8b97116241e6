//@ class loops
//@ verdict ok
/** A thread spins until it is interrupted. */
public class InterruptedSpin {
    static int rounds;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
            rounds = 1;
        });
        worker.start();
        worker.interrupt();
        worker.join();
        assert rounds == 1;
    }
}
