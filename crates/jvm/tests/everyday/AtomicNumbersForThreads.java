//@ class hidden
//@ verdict ok
import java.util.concurrent.atomic.AtomicInteger;

/** The same with an atomic counter. */
public class AtomicNumbersForThreads {
    static final AtomicInteger next = new AtomicInteger();
    static final ThreadLocal<Integer> number = ThreadLocal.withInitial(next::getAndIncrement);
    static int others;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> others = number.get());
        other.start();
        int own = number.get();
        other.join();
        assert own != others && number.get() == own;
    }
}
