package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

public class CounterTest {
    static int classes;
    int count;
    boolean open;

    @Rule public final ExternalResource resource = new ExternalResource() {
        @Override
        protected void before() {
            open = true;
        }

        @Override
        protected void after() {
            open = false;
        }
    };

    @BeforeClass
    public static void once() {
        classes++;
    }

    @AfterClass
    public static void end() {
        classes--;
    }

    @Before
    public void setUp() {
        count = 10;
    }

    @After
    public void tearDown() {
        assertTrue("the resource is open until after tear-down", open);
    }

    private void twice(Runnable work) throws InterruptedException {
        Thread one = new Thread(work);
        Thread other = new Thread(work);
        one.start();
        other.start();
        one.join();
        other.join();
    }

    @Test
    public void losesAnUpdate() throws Exception {
        twice(() -> count++);
        assertEquals(12, count);
    }

    @Test
    public void keepsAllUpdates() throws Exception {
        twice(() -> {
            synchronized (this) {
                count++;
            }
        });
        assertEquals(12, count);
        assertEquals(1, classes);
    }

    @Test(expected = IllegalStateException.class)
    public void failsAsExpected() {
        throw new IllegalStateException("expected");
    }

    /** Only one of the schedules has what the test is about, and there it holds. */
    @Test
    public void assumesAnOrder() throws Exception {
        Thread other = new Thread(() -> count = 1);
        other.start();
        int seen = count;
        other.join();
        assumeTrue(seen == 10);
        assertEquals(10, seen);
    }

    @Test(timeout = 1000)
    public void endsInTime() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        new Thread(latch::countDown).start();
        latch.await();
    }

    @Test
    public void deadlocks() throws Exception {
        Object left = new Object();
        Object right = new Object();
        Thread other = new Thread(() -> {
            synchronized (left) {
                synchronized (right) {
                    count++;
                }
            }
        });
        other.start();
        synchronized (right) {
            synchronized (left) {
                count++;
            }
        }
        other.join();
    }

    @Test
    @Ignore("not today")
    public void ignored() {
        throw new AssertionError();
    }

    /** Nothing is shown about it, whatever the schedule. */
    @Test
    public void assumesInVain() {
        assumeTrue("a second processor", count > 100);
        throw new AssertionError();
    }
}
