import static org.junit.Assert.assertEquals;

import org.junit.Test;

/**
 * A JUnit test that nearly always passes: both threads add one to the same counter, and now and then
 * one of the two is lost.
 */
public class VisitsTest {
    private int visits;

    @Test
    public void bothVisitsCount() throws InterruptedException {
        Thread first = new Thread(() -> visits++);
        Thread second = new Thread(() -> visits++);
        first.start();
        second.start();
        first.join();
        second.join();
        assertEquals(2, visits);
    }
}
