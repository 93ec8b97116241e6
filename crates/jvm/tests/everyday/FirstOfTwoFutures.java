//@ class hidden
//@ verdict bug
import java.util.concurrent.CompletableFuture;

/** Either of two futures may be the first. */
public class FirstOfTwoFutures {
    public static void main(String[] args) {
        CompletableFuture<String> one = CompletableFuture.supplyAsync(() -> "one");
        CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> "other");
        assert CompletableFuture.anyOf(one, other).join().equals("one"); //~ assertion
    }
}
