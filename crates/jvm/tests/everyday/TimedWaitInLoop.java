//@ class loops
//@ verdict ok
/** A condition is waited for with a time limit, in a loop. */
public class TimedWaitInLoop {
    static final Object monitor = new Object();
    static boolean done;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                done = true;
                monitor.notifyAll();
            }
        });
        other.start();
        synchronized (monitor) {
            while (!done) monitor.wait(10);
            assert done;
        }
        other.join();
    }
}
