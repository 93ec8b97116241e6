import java.util.*;
import java.util.concurrent.*;

public class TimerFlag {
    static String report;

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
        CountDownLatch ready = new CountDownLatch(1);
        ScheduledFuture<?> tick = clock.schedule(() -> { ready.countDown(); report = "all well"; }, 10, TimeUnit.MILLISECONDS);
        ready.await();
        System.out.println(report.length());
        clock.shutdown();
    }
}
