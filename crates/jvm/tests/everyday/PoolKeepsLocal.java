//@ class threads
//@ verdict bug
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread of a pool keeps what an earlier task has left in its local variable. */
public class PoolKeepsLocal {
    static final ThreadLocal<String> user = new ThreadLocal<>();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> user.set("ann"));
        String seen = pool.submit(() -> user.get()).get();
        pool.shutdown();
        assert seen == null; //~ assertion
    }
}
