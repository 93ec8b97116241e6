package shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class SumTest {
    private final int[] numbers;
    private final int expected;

    public SumTest(int[] numbers, int expected) {
        this.numbers = numbers;
        this.expected = expected;
    }

    @Parameters
    public static Collection<Object[]> parameters() {
        return Arrays.asList(new Object[][] {{new int[] {1}, 1}, {new int[] {1, 2}, 3}});
    }

    int sum;

    /** One thread adds up correctly, two lose updates. */
    @Test
    public void addsUp() throws Exception {
        Thread[] threads = new Thread[numbers.length];
        for (int i = 0; i < threads.length; i++) {
            int number = numbers[i];
            threads[i] = new Thread(() -> sum += number);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(expected, sum);
    }
}
