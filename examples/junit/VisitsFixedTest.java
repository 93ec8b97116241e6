import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** The same test with a counter that takes one visit at a time. */
public class VisitsFixedTest {
    private final AtomicInteger visits = new AtomicInteger();

    @Test
    public void bothVisitsCount() throws InterruptedException {
        Thread first = new Thread(visits::incrementAndGet);
        Thread second = new Thread(visits::incrementAndGet);
        first.start();
        second.start();
        first.join();
        second.join();
        assertEquals(2, visits.get());
    }
}
