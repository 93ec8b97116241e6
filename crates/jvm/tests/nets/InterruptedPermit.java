import java.util.concurrent.Semaphore;

/** A thread that waits for a permit is interrupted while another one gives the permit back. */
public class InterruptedPermit {
    static final Semaphore permits = new Semaphore(0);
    static boolean taken;

    public static void main(String[] args) throws InterruptedException {
        Thread taker = new Thread(() -> {
            try {
                permits.acquire();
                taken = true;
            } catch (InterruptedException stopped) {
                return;
            }
        });
        taker.start();
        new Thread(permits::release).start();
        taker.interrupt();
        taker.join();
        if (!taken && permits.availablePermits() == 1) {
            throw new AssertionError("a permit is left");
        }
    }
}
