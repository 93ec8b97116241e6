import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A task fails because of what it has read, and whoever asks for its result learns it. */
public class ThroughPool {
    static volatile String name;
    static volatile int unused;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<Integer> length = pool.submit(() -> {
            unused++; // hidden
            return name.length(); // shown
        });
        name = "Ada";
        try {
            System.out.println(length.get()); // shown
        } catch (ExecutionException e) {
            throw new RuntimeException(e.getCause());
        }
        pool.shutdown();
    }
}
