/** A worker is told to stop by an interrupt, which a library call in between may have taken. */
public class StopFlag {
    static int rounds;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted() && rounds < 2) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException stopped) {
                    // Forgets it.
                }
                rounds++;
            }
        });
        worker.start();
        worker.interrupt();
        worker.join();
        if (rounds == 2) {
            throw new AssertionError("went on");
        }
    }
}
