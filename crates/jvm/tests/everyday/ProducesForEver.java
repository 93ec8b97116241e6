//@ class cuts
//@ verdict bug
//@ limited
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A producer never ends, the consumer fails at the third item. */
public class ProducesForEver {
    static final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws InterruptedException {
        Thread producer = new Thread(() -> {
            try {
                for (int item = 0; ; item++) queue.put(item);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.setDaemon(true);
        producer.start();
        for (int i = 0; i < 3; i++) {
            int item = queue.take();
            assert item < 2; //~ assertion
        }
    }
}
