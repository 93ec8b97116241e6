//@ class threads
//@ verdict bug
import java.util.concurrent.atomic.AtomicInteger;

/** A breaker that is half open should let one call through. */
public class ProbesOfBreaker {
    enum State { CLOSED, OPEN, HALF_OPEN }

    static volatile State state = State.OPEN;
    static final AtomicInteger probes = new AtomicInteger();

    static String call() {
        switch (state) {
            case OPEN:
                state = State.HALF_OPEN;
                probes.incrementAndGet();
                break;
            case HALF_OPEN:
                return "refused";
            default:
        }
        state = State.CLOSED;
        return "done";
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ProbesOfBreaker::call);
        other.start();
        call();
        other.join();
        assert probes.get() == 1; //~ assertion
    }
}
