//@ class threads
//@ verdict ok
/** Two futures are combined. */
public class FuturesCombined {
    public static void main(String[] args) {
        java.util.concurrent.CompletableFuture<Integer> one = java.util.concurrent.CompletableFuture.supplyAsync(() -> 1);
        java.util.concurrent.CompletableFuture<Integer> two = java.util.concurrent.CompletableFuture.supplyAsync(() -> 2);
        assert one.thenCombine(two, Integer::sum).join() == 3;
    }
}
