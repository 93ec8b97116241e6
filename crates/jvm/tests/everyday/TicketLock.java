//@ class loops
//@ verdict ok
import java.util.concurrent.atomic.AtomicInteger;

/** Tickets are drawn and called. */
public class TicketLock {
    static final AtomicInteger next = new AtomicInteger(), called = new AtomicInteger();
    static int count;

    static void work() {
        int ticket = next.getAndIncrement();
        while (called.get() != ticket) Thread.onSpinWait();
        count++;
        called.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(TicketLock::work);
        other.start();
        work();
        other.join();
        assert count == 2;
    }
}
