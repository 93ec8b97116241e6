import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class LongLimit {
    public static void main(String[] a) throws Exception {
        AtomicInteger n = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 3; i++) pool.submit(n::incrementAndGet);
        pool.shutdown();
        if (!pool.awaitTermination(5, TimeUnit.SECONDS)) throw new IllegalStateException("not done");
        assert n.get() == 3;
    }
}
