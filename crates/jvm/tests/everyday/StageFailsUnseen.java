//@ class threads
//@ verdict bug
import java.util.concurrent.CompletableFuture;

/** Whoever completes first decides whether the stage fails. */
public class StageFailsUnseen {
    public static void main(String[] args) {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        new Thread(() -> future.completeExceptionally(new IllegalStateException("late"))).start();
        future.complete(1);
        future.thenApply(x -> x + 1).join(); //~ exception
    }
}
