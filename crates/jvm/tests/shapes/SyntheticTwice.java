import counterpoint.Input;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads of one kind meet inputs, three shared numbers and two locks, while the main thread takes
 * the locks in the other order. The argument {@code monitors} makes the locks monitors.
 */
public class SyntheticTwice implements Runnable {
    static int i;
    static int j;
    static int k;
    static final ReentrantLock one = new ReentrantLock();
    static final ReentrantLock two = new ReentrantLock();

    private final boolean monitors;

    SyntheticTwice(boolean monitors) {
        this.monitors = monitors;
    }

    @Override
    public void run() {
        k = 1;
        j = Input.anyInt();
        int seen = j;
        if (k + seen > 10) {
            if (monitors) {
                synchronized (one) {
                    synchronized (two) {
                        k = seen * 5;
                    }
                }
            } else {
                one.lock();
                two.lock();
                k = seen * 5;
                two.unlock();
                one.unlock();
            }
        }
    }

    public static void main(String[] args) {
        boolean monitors = args.length > 0;
        new Thread(new SyntheticTwice(monitors)).start();
        new Thread(new SyntheticTwice(monitors)).start();
        int seen = i;
        j = 1;
        if (Input.anyInt() > 10) {
            return;
        }
        if (monitors) {
            synchronized (two) {
                synchronized (one) {
                }
            }
        } else {
            two.lock();
            one.lock();
            one.unlock();
            two.unlock();
        }
    }
}
