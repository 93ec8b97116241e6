import java.util.concurrent.*;

public class QueueStop {
    static final BlockingQueue<String> jobs = new LinkedBlockingQueue<>();
    static volatile boolean stopped;

    public static void main(String[] args) throws Exception {
        Thread consumer = new Thread(() -> {
            try {
                while (!stopped) {
                    String job = jobs.take();
                    System.out.println("done " + job);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "consumer");
        consumer.start();
        jobs.put("one");
        stopped = true;
        consumer.join();
    }
}
