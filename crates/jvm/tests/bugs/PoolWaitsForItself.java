//@ switches 1
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A task waits for another one of the same pool, which has no thread left. */
public class PoolWaitsForItself {
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        boolean fixed = args.length > 0;
        if (fixed) {
            Future<Integer> inner = pool.submit(() -> 20);
            Future<Integer> outer = pool.submit(() -> inner.get() + 1);
            outer.get();
        } else {
            Future<Integer> outer = pool.submit(() -> {
                Future<Integer> inner = pool.submit(() -> 20);
                return inner.get() + 1; //~ deadlock
            });
            outer.get(); //~ deadlock
        }
        pool.shutdown();
    }
}
