//@ class threads
//@ verdict ok
import java.util.concurrent.CompletableFuture;

/** Stages run in the order of the chain, and a failure takes the other way. */
public class ChainOfStages {
    public static void main(String[] args) {
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> 2);
        CompletableFuture<String> text = first.thenApply(x -> x + 1)
            .thenCompose(x -> CompletableFuture.supplyAsync(() -> x * 2))
            .thenCombine(CompletableFuture.completedFuture(4), Integer::sum)
            .handle((x, cause) -> cause == null ? "got " + x : "failed");
        assert text.join().equals("got 10");
    }
}
