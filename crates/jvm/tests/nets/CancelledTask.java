import java.util.concurrent.FutureTask;

/** A task is cancelled before it runs, while it runs or after it. */
public class CancelledTask {
    static volatile boolean ran;

    public static void main(String[] args) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(() -> {
            ran = true;
            return 1;
        });
        Thread worker = new Thread(task);
        worker.start();
        if (task.cancel(true)) {
            worker.join();
            if (ran) {
                throw new IllegalStateException("ran though it was cancelled");
            }
        }
    }
}
