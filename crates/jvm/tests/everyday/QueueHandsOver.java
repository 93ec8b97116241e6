//@ class races
//@ verdict ok
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** An object is handed over through a blocking queue. */
public class QueueHandsOver {
    static final class Job { int size; }
    static final BlockingQueue<Job> queue = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            Job job = new Job();
            job.size = 3;
            queue.add(job);
        });
        writer.start();
        Job job = queue.take();
        job.size++;
        assert job.size == 4;
        writer.join();
    }
}
