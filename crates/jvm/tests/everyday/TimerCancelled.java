//@ class threads
//@ verdict ok
import java.util.Timer;
import java.util.TimerTask;

/** A task that was cancelled in time does not run; cancelling the timer ends its thread. */
public class TimerCancelled {
    static int runs;

    public static void main(String[] args) throws InterruptedException {
        Timer timer = new Timer();
        TimerTask task = new TimerTask() {
            @Override
            public void run() {
                synchronized (TimerCancelled.class) {
                    runs++;
                }
            }
        };
        timer.schedule(task, 1000);
        boolean cancelled = task.cancel();
        timer.cancel();
        synchronized (TimerCancelled.class) {
            assert runs == 0 || !cancelled;
        }
    }
}
