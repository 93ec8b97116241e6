//@ class races
//@ verdict ok
import java.util.concurrent.atomic.AtomicInteger;

/** One that succeeds does. */
public class ExchangePublishes {
    static int data;
    static final AtomicInteger state = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 1;
            state.compareAndSet(0, 1);
        });
        writer.start();
        if (state.get() == 1) assert data == 1;
        writer.join();
    }
}
