import java.util.concurrent.locks.ReentrantLock;

/** Two threads try to take a lock and say whether they got it. */
public class TryLock {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        boolean[] got = new boolean[2];
        Thread[] threads = new Thread[2];
        for (int number = 0; number < 2; number++) {
            int own = number;
            threads[number] = new Thread(() -> {
                if (lock.tryLock()) {
                    got[own] = true;
                    lock.unlock();
                }
            });
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(got[0] + " " + got[1]);
    }
}
