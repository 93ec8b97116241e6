import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two tasks of a pool count under a lock, or without. This one is wrong. */
public class PoolBug {
    static int x;
    public static void main(String[] a) throws Exception {
        ExecutorService e = Executors.newFixedThreadPool(2);
        Object m = new Object();
        Runnable r = () -> {
            x++;
        };
        Future<?> f = e.submit(r), g = e.submit(r);
        f.get();
        g.get();
        e.shutdown();
        if (x != 2) throw new AssertionError("x " + x);
    }
}
