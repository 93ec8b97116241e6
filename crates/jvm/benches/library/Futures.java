import java.util.concurrent.CompletableFuture;

/** So many futures whose results are combined. */
public class Futures {
    public static void main(String[] arguments) {
        CompletableFuture<Integer> sum = CompletableFuture.completedFuture(0);
        for (int part = 0; part < Integer.parseInt(arguments[0]); part++) {
            int value = part;
            sum = sum.thenCombine(CompletableFuture.supplyAsync(() -> value), Integer::sum);
        }
        sum.join();
    }
}
