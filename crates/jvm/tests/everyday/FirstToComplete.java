//@ class hidden
//@ verdict bug
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A completion service hands out what is done first. */
public class FirstToComplete {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletionService<Integer> service = new ExecutorCompletionService<>(pool);
        service.submit(() -> 1);
        service.submit(() -> 2);
        int first = service.take().get();
        pool.shutdown();
        assert first == 1; //~ assertion
    }
}
