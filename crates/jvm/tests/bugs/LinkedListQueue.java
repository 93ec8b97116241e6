//@ switches 2
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Two threads want the last element of a queue. */
public class LinkedListQueue {
    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        Queue<String> jobs = fixed ? new ConcurrentLinkedQueue<>() : new LinkedList<>();
        jobs.add("job");
        Runnable worker = () -> {
            if (fixed) {
                jobs.poll();
            } else if (!jobs.isEmpty()) {
                jobs.remove(); //~ exception
            }
        };
        new Thread(worker).start();
        new Thread(worker).start();
    }
}
