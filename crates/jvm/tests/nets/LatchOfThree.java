import java.util.concurrent.CountDownLatch;

/** Three threads count a latch down, and two wait for it. */
public class LatchOfThree {
    static final CountDownLatch latch = new CountDownLatch(3);
    static final int[] parts = new int[3];

    static void look() {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            return;
        }
        if (parts[0] + parts[1] + parts[2] != 3) {
            throw new AssertionError("too early");
        }
    }

    public static void main(String[] args) {
        for (int number = 0; number < 3; number++) {
            int own = number;
            new Thread(() -> {
                parts[own] = 1;
                latch.countDown();
            }).start();
        }
        new Thread(LatchOfThree::look).start();
        look();
    }
}
