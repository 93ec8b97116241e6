//@ class threads
//@ verdict bug
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Two consumers wait for a pill that tells them to end, and there is one. */
public class OnePillForTwo {
    static final String PILL = "end";
    static final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    static void consume() {
        try {
            String job;
            do {
                job = queue.take(); //~ deadlock
            } while (job != PILL);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(OnePillForTwo::consume);
        Thread other = new Thread(OnePillForTwo::consume);
        one.start();
        other.start();
        queue.put("job");
        queue.put(PILL);
        one.join(); //~ deadlock
        other.join(); //~ deadlock
    }
}
