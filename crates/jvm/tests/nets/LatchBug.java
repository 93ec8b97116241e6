import java.util.concurrent.CountDownLatch;

/** A latch counts as many threads as there are, or fewer. This one is wrong. */
public class LatchBug {
    static int x;
    public static void main(String[] a) throws Exception {
        CountDownLatch l = new CountDownLatch(1);
        Thread t1 = new Thread(() -> {
            x = 1;
            l.countDown();
        });
        Thread t2 = new Thread(() -> {
            l.countDown();
        });
        t1.start();
        t2.start();
        l.await();
        if (x != 1) throw new AssertionError("x " + x);
    }
}
