//@ class threads
//@ verdict bug
/** Who prints takes the lock of `System.out` for a moment, which another thread has while it wants the account. */
public class PrintsUnderLock {
    static final Object account = new Object();
    static int balance;

    public static void main(String[] args) throws InterruptedException {
        Thread reporter = new Thread(() -> {
            synchronized (System.out) {
                System.out.print("balance: ");
                synchronized (account) { System.out.println(balance); } //~ deadlock
            }
        });
        reporter.start();
        synchronized (account) {
            balance++;
            System.out.println("paid"); //~ deadlock
        }
        reporter.join();
    }
}
