/** A thread that joins another is interrupted by a third, before the other has ended or after. */
public class JoinOrInterrupt {
    static volatile int ended;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> ended = 1);
        Thread joining = new Thread(() -> {
            try {
                worker.join();
                if (ended != 1) {
                    throw new AssertionError("joined too early");
                }
            } catch (InterruptedException stopped) {
                if (ended == 1) {
                    throw new IllegalStateException("interrupted after the end");
                }
            }
        });
        worker.start();
        joining.start();
        joining.interrupt();
        joining.join();
    }
}
