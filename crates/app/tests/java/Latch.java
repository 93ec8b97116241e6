import java.util.concurrent.CountDownLatch;

public class Latch {
    static volatile boolean busy;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2);
        Runnable work = () -> {
            if (busy) {
                return;
            }
            busy = true;
            done.countDown();
        };
        new Thread(work).start();
        new Thread(work).start();
        done.await();
    }
}
