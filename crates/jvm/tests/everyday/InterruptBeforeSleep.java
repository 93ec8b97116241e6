//@ class threads
//@ verdict ok
/** An interrupt that comes first ends the sleep at once. */
public class InterruptBeforeSleep {
    public static void main(String[] args) throws InterruptedException {
        Thread.currentThread().interrupt();
        Thread other = new Thread(() -> {});
        other.start();
        boolean woken = false;
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            woken = true;
        }
        assert woken && !Thread.currentThread().isInterrupted();
        other.join();
    }
}
