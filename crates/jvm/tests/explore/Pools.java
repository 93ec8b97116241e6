import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Small programs with pools, one for each argument. */
public class Pools {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "one" -> {
                ExecutorService pool = Executors.newFixedThreadPool(1);
                Future<Integer> future = pool.submit(() -> 1);
                System.out.println(future.get());
                pool.shutdown();
            }
            case "completable" -> {
                CompletableFuture<Integer> x = CompletableFuture.supplyAsync(() -> 3);
                CompletableFuture<Integer> y = CompletableFuture.supplyAsync(() -> 4);
                System.out.println(x.thenCombine(y, Integer::sum).get());
            }
        }
    }
}
