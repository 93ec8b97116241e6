//@ class threads
//@ verdict bug
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** An exception in one task of a timer ends it for all others. */
public class TimerEndedByTask {
    static class Task extends TimerTask {
        private final Runnable work;

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            work.run();
        }
    }

    static int zero;

    public static void main(String[] args) throws InterruptedException {
        Timer timer = new Timer(true);
        CountDownLatch done = new CountDownLatch(1);
        timer.schedule(new Task(() -> zero /= zero), 1); //~ exception
        timer.schedule(new Task(done::countDown), 5); //~ exception
        done.await(); //~ deadlock
    }
}
