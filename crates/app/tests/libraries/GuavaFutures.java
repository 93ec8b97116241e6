// incomplete; guava
import com.google.common.util.concurrent.*; import java.util.concurrent.*;
public class GuavaFutures { static int hits; public static void main(String[] a) throws Exception {
  ListeningExecutorService ex = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(2));
  ListenableFuture<Integer> x = ex.submit(() -> 1), y = ex.submit(() -> 2);
  ListenableFuture<java.util.List<Integer>> all = Futures.allAsList(x, y);
  System.out.println(all.get()); ex.shutdown(); ex.awaitTermination(1, TimeUnit.MINUTES); } }
