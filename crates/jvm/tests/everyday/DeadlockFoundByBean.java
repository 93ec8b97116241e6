//@ class threads
//@ verdict bug
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** A thread that looks for deadlocks finds the two that wait for each other, or comes before they do. */
public class DeadlockFoundByBean {
    static final Object first = new Object();
    static final Object second = new Object();

    static void both(Object one, Object other) {
        synchronized (one) {
            synchronized (other) { //~ deadlock
            }
        }
    }

    public static void main(String[] args) {
        Thread forwards = new Thread(() -> both(first, second));
        Thread backwards = new Thread(() -> both(second, first));
        forwards.start();
        backwards.start();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        long[] found = bean.findDeadlockedThreads();
        if (found != null) {
            assert found.length == 2;
            throw new IllegalStateException("found"); //~ exception
        }
    }
}
