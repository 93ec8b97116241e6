import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool whose threads may be left when the program is through. */
public class PoolLeft {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = switch (arguments[0]) {
            case "cached" -> Executors.newCachedThreadPool();
            case "daemons" -> Executors.newFixedThreadPool(2, PoolLeft::daemon);
            default -> Executors.newFixedThreadPool(2);
        };
        System.out.println(pool.submit(() -> 7).get());
        switch (arguments[0]) {
            case "stopped" -> pool.shutdown();
            case "exit" -> System.exit(0);
            default -> { }
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
}
