//@ class threads
//@ verdict ok
import java.util.Timer;
import java.util.TimerTask;

/** A periodic task stops itself after two rounds. */
public class PeriodicTask {
    static int rounds;

    public static void main(String[] args) throws InterruptedException {
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                if (++rounds == 2) {
                    timer.cancel();
                }
            }
        }, 0, 10);
    }
}
