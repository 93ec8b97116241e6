//@ class hidden
//@ verdict bug
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A task is taken out of a timer's queue by a stranger, who waits inside the queue as the timer's worker does. */
public class TakenFromATimer {
    static volatile boolean taken;

    public static void main(String[] args) throws InterruptedException {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
        Thread stranger = new Thread(() -> {
            try {
                taken = timer.getQueue().poll(1, TimeUnit.SECONDS) != null;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        stranger.start();
        timer.schedule(() -> { }, 1, TimeUnit.SECONDS);
        stranger.join();
        int left = timer.getQueue().size();
        timer.shutdownNow();
        assert !taken || left > 0; //~ assertion
    }
}
