//@ class threads
//@ verdict bug
import java.util.concurrent.atomic.LongAdder;

/** What is added between reading a sum and resetting it is lost. */
public class SumAndResetApart {
    static final LongAdder window = new LongAdder();
    static long total;

    static void flush() {
        long sum = window.sum();
        window.reset();
        total += sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(window::increment);
        other.start();
        flush();
        other.join();
        flush();
        assert total == 1; //~ assertion
    }
}
