//@ switches 6
/** The lock is the number that is counted, and is another object after each step. */
public class ChangingLock {
    private Integer count = 1000;
    private final Object lock = new Object();

    void increment(boolean fixed) {
        synchronized (fixed ? lock : count) {
            count = count + 1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ChangingLock counter = new ChangingLock();
        boolean fixed = args.length > 0;
        Thread[] threads = new Thread[3];
        for (int number = 0; number < threads.length; number++) {
            threads[number] = new Thread(() -> counter.increment(fixed));
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert counter.count == 1003; //~ assertion
    }
}
