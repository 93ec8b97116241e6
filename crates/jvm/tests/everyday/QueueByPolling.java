//@ class loops
//@ verdict ok
import java.util.concurrent.ConcurrentLinkedQueue;

/** A consumer polls a queue of many threads until something comes. */
public class QueueByPolling {
    static final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws InterruptedException {
        Thread producer = new Thread(() -> queue.add(7));
        producer.start();
        Integer got;
        while ((got = queue.poll()) == null) Thread.yield();
        assert got == 7 && queue.isEmpty();
        producer.join();
    }
}
