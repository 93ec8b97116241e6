//@ class threads
//@ verdict bug
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A reply may come after the time in which it is waited for. */
public class DefaultInsteadOfReply {
    public static void main(String[] args) {
        CompletableFuture<String> reply = new CompletableFuture<>();
        new Thread(() -> reply.complete("reply")).start();
        String text = reply.completeOnTimeout("default", 5, TimeUnit.MILLISECONDS).join();
        assert text.equals("reply"); //~ assertion
    }
}
