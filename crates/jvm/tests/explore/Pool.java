import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool that is never shut down: its idle thread keeps nobody waiting. */
public class Pool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        System.out.println(pool.submit(() -> 42).get());
    }
}
