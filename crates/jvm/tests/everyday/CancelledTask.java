//@ class threads
//@ verdict ok
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A task that was cancelled in time has not run, and otherwise has ended. */
public class CancelledTask {
    static final AtomicInteger runs = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(runs::incrementAndGet);
        Thread worker = new Thread(task);
        worker.start();
        boolean cancelled = task.cancel(false);
        worker.join();
        assert cancelled == task.isCancelled();
        assert cancelled || runs.get() == 1;
        assert runs.get() <= 1;
    }
}
