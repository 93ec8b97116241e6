import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A thread waits for a while, on a monitor or a condition, and is interrupted by somebody who has its lock. */
public class StoppedWaiter {
    static boolean stopped;
    static String ending = "";

    static void end(String how) {
        ending += how + (stopped ? ", stopped" : "") + (Thread.interrupted() ? ", interrupted" : "");
    }

    public static void main(String[] args) throws InterruptedException {
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        boolean isMonitor = args.length > 0;
        Thread waiter = new Thread(() -> {
            try {
                if (isMonitor) {
                    synchronized (monitor) {
                        monitor.wait(10);
                        end("went on");
                    }
                } else {
                    lock.lock();
                    condition.await(10, TimeUnit.MILLISECONDS);
                    end("went on");
                    lock.unlock();
                }
            } catch (InterruptedException e) {
                end("stopped waiting");
            }
        });
        waiter.start();
        if (isMonitor) {
            synchronized (monitor) {
                stopped = true;
                waiter.interrupt();
            }
        } else {
            lock.lock();
            stopped = true;
            waiter.interrupt();
            lock.unlock();
        }
        waiter.join();
        System.out.println(ending);
    }
}
