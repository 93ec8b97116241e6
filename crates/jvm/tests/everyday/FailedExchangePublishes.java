//@ class races
//@ verdict ok
//@ racy
import java.util.concurrent.atomic.AtomicInteger;

/** A compare-and-set that fails publishes nothing. */
public class FailedExchangePublishes {
    static int data;
    static final AtomicInteger state = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 1; //~ race
            state.compareAndSet(5, 6);
        });
        writer.start();
        state.get();
        int seen = data; //~ race
        writer.join();
        assert seen <= 1;
    }
}
