//@ class threads
//@ verdict bug
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Completed tasks come in the order of their ends. */
public class FirstOfCompleted {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ExecutorCompletionService<Integer> service = new ExecutorCompletionService<>(pool);
        service.submit(() -> 1);
        service.submit(() -> 2);
        int first = service.take().get();
        int second = service.take().get();
        pool.shutdown();
        assert first + second == 3;
        assert first == 1; //~ assertion
    }
}
