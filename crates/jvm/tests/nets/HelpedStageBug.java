import java.util.concurrent.CompletableFuture;

/** Who waits for a future may run its stages, too, although the thread that completes it is about to. */
public class HelpedStageBug {
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletableFuture<Boolean> runsInMain = first.thenApply(value -> Thread.currentThread() == main);
        new Thread(() -> first.complete(1)).start();
        first.join();
        if (runsInMain.join()) throw new IllegalStateException("main has run the stage");
    }
}
