//@ class threads
//@ verdict bug
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that wait for locks of the library are no deadlock of monitors, but they are one. */
public class DeadlockOfLocks {
    static final ReentrantLock first = new ReentrantLock();
    static final ReentrantLock second = new ReentrantLock();

    static void both(ReentrantLock one, ReentrantLock other) {
        one.lock();
        other.lock(); //~ deadlock
        other.unlock();
        one.unlock();
    }

    public static void main(String[] args) {
        new Thread(() -> both(first, second)).start();
        new Thread(() -> both(second, first)).start();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        assert bean.findMonitorDeadlockedThreads() == null;
        assert bean.findDeadlockedThreads() == null; //~ assertion
    }
}
