//@ class threads
//@ verdict ok
import java.lang.management.ManagementFactory;

/** Locks that are taken in one order are never found in a deadlock, and who waits on a monitor is in none. */
public class LocksInOneOrderByBean {
    static final Object first = new Object();
    static final Object second = new Object();

    static void both() {
        synchronized (first) {
            synchronized (second) {
                second.notify();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(LocksInOneOrderByBean::both);
        Thread other = new Thread(LocksInOneOrderByBean::both);
        one.start();
        other.start();
        assert ManagementFactory.getThreadMXBean().findDeadlockedThreads() == null;
        one.join();
        other.join();
    }
}
