import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Pool {
    static int hits;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> one = pool.submit(() -> hits++);
        Future<?> two = pool.submit(() -> hits++);
        one.get();
        two.get();
        pool.shutdown();
        if (hits != 2) {
            throw new AssertionError("a hit is lost");
        }
    }
}
