//@ class natives
//@ verdict bug
import java.util.concurrent.atomic.LongAdder;

/** The sum of an adder may miss what is being added. */
public class AdderSumTooEarly {
    public static void main(String[] args) throws InterruptedException {
        LongAdder adder = new LongAdder();
        Thread other = new Thread(adder::increment);
        other.start();
        adder.increment();
        long early = adder.sum();
        other.join();
        assert adder.sum() == 2;
        assert early == 2; //~ assertion
    }
}
