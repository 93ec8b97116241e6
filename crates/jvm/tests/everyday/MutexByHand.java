//@ class threads
//@ verdict bug
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** A lock made of a synchroniser looks at its state and sets it in two steps. */
public class MutexByHand {
    static class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int count) {
            if (getState() == 0) {
                setState(1);
                return true;
            }
            return false;
        }

        @Override
        protected boolean tryRelease(int count) {
            setState(0);
            return true;
        }
    }

    static final Mutex mutex = new Mutex();
    static int counter;

    static void increment() {
        mutex.acquire(1);
        counter++;
        mutex.release(1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(MutexByHand::increment);
        other.start();
        increment();
        other.join();
        assert counter == 2; //~ assertion
    }
}
