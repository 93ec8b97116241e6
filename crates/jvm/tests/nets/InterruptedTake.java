import java.util.concurrent.LinkedBlockingQueue;

/** A consumer is stopped by an interrupt; items put before may be lost. */
public class InterruptedTake {
    static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    static int sum;

    public static void main(String[] args) throws InterruptedException {
        Thread consumer = new Thread(() -> {
            try {
                while (true) {
                    sum += queue.take();
                }
            } catch (InterruptedException stopped) {
                return;
            }
        });
        consumer.start();
        queue.put(1);
        consumer.interrupt();
        consumer.join();
        if (sum != 1) {
            throw new AssertionError("lost");
        }
    }
}
