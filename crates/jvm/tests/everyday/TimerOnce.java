//@ class threads
//@ verdict bug
import java.util.Timer;
import java.util.TimerTask;

/** Nobody knows whether a timer's task has run. */
public class TimerOnce {
    static volatile boolean ran;

    public static void main(String[] args) {
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                ran = true;
            }
        }, 10);
        boolean seen = ran;
        assert !seen; //~ assertion
    }
}
