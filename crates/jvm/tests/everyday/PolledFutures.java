//@ class loops
//@ verdict ok
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Futures are asked in turn until all are done. */
public class PolledFutures {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> futures = new ArrayList<>();
        futures.add(pool.submit(() -> 1));
        futures.add(pool.submit(() -> 2));
        int sum = 0;
        while (!futures.isEmpty()) {
            Iterator<Future<Integer>> iterator = futures.iterator();
            while (iterator.hasNext()) {
                Future<Integer> future = iterator.next();
                if (future.isDone()) {
                    sum += future.get();
                    iterator.remove();
                }
            }
        }
        pool.shutdown();
        assert sum == 3;
    }
}
