//@ switches 4
import java.util.concurrent.atomic.AtomicInteger;

/** Two atomic operations are not an atomic operation. */
public class GetThenSet {
    public static void main(String[] args) throws InterruptedException {
        AtomicInteger total = new AtomicInteger();
        boolean fixed = args.length > 0;
        Thread[] threads = new Thread[2];
        for (int number = 0; number < 2; number++) {
            int amount = number + 1;
            threads[number] = new Thread(() -> {
                if (fixed) {
                    total.updateAndGet(value -> value + amount);
                } else {
                    total.set(total.get() + amount);
                }
            });
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert total.get() == 3 : total; //~ assertion
    }
}
