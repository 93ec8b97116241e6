import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Two waiters and one signal, or a signal for each. */
public class TwoWaiters {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition condition = lock.newCondition();
    static int tokens;

    static void take() {
        lock.lock();
        try {
            while (tokens == 0) condition.await();
            tokens--;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(TwoWaiters::take), b = new Thread(TwoWaiters::take);
        a.start();
        b.start();
        lock.lock();
        try {
            tokens = 2;
            if (args[0].equals("all")) condition.signalAll();
            else condition.signal();
        } finally {
            lock.unlock();
        }
        a.join();
        b.join();
        System.out.println("tokens " + tokens);
    }
}
