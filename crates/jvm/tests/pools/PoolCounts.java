import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A pool is asked how busy it is, while it runs a task or when it has ended. */
public class PoolCounts {
    public static void main(String[] arguments) throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.execute(() -> { });
        if (arguments[0].equals("busy")) {
            int active = pool.getActiveCount();
            long completed = pool.getCompletedTaskCount();
            System.out.println(active + " active, " + completed + " completed");
            pool.shutdown();
            return;
        }
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.SECONDS)) {
            System.out.println(pool.getCompletedTaskCount() + " of " + pool.getTaskCount() + ", active "
                    + pool.getActiveCount());
        } else {
            System.out.println("late");
        }
    }
}
