import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** So many producers, a queue with room for one, and a consumer. */
public class Queue {
    public static void main(String[] arguments) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        int producers = Integer.parseInt(arguments[0]);
        for (int producer = 0; producer < producers; producer++) {
            int number = producer;
            new Thread(() -> {
                try {
                    queue.put(number);
                    queue.put(number);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }).start();
        }
        for (int taken = 0; taken < 2 * producers; taken++) {
            queue.take();
        }
    }
}
