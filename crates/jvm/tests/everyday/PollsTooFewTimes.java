//@ class loops
//@ verdict bug
/** A bounded number of looks is not enough. */
public class PollsTooFewTimes {
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> ready = true);
        other.start();
        int looks = 0;
        while (!ready && looks < 3) {
            looks++;
            Thread.yield();
        }
        assert ready || looks < 3; //~ assertion
        other.join();
    }
}
