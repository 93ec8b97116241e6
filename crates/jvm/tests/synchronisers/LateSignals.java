import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A signal that comes while the time of a wait passes, or while the waiting thread is being interrupted. */
public class LateSignals {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition condition = lock.newCondition();
    static boolean set;
    static String ending = "";

    static boolean await(String how) throws InterruptedException {
        switch (how) {
            case "await": return condition.await(10, TimeUnit.MILLISECONDS);
            case "nanos": return condition.awaitNanos(10_000_000) > 0;
            default: condition.await(); return true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = Thread.currentThread();
        lock.lock();
        Thread setter = new Thread(() -> {
            lock.lock();
            set = true;
            if (args[0].equals("interrupt")) waiter.interrupt();
            if (args[1].equals("all")) condition.signalAll();
            else condition.signal();
            lock.unlock();
        });
        setter.start();
        try {
            ending = await(args[0]) ? "woken" : "late";
            ending += Thread.interrupted() ? " and interrupted" : "";
        } catch (InterruptedException e) {
            ending = "interrupted";
        }
        ending += set ? ", set" : ", not set";
        lock.unlock();
        setter.join();
        System.out.println(ending);
    }
}
