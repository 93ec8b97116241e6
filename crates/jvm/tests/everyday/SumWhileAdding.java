//@ class hidden
//@ verdict bug
import java.util.concurrent.atomic.LongAdder;

/** An adder is summed up between two additions. */
public class SumWhileAdding {
    static final LongAdder adder = new LongAdder();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            adder.increment();
            adder.increment();
        });
        other.start();
        long sum = adder.sum();
        other.join();
        assert sum != 1; //~ assertion
        assert adder.sum() == 2;
    }
}
