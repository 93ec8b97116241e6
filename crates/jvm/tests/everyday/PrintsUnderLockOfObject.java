//@ class threads
//@ verdict bug
/** The lock that a logger is given as an `Object` is `System.out`, which the other thread needs for printing. */
public class PrintsUnderLockOfObject {
    static class Report {
        private final Object lock;

        Report(Object lock) {
            this.lock = lock;
        }

        void print(Object account) {
            synchronized (lock) {
                synchronized (account) { balance += 1; } //~ deadlock
            }
        }
    }

    static int balance;

    public static void main(String[] args) throws InterruptedException {
        Object account = new Object();
        Report report = new Report(System.out);
        Thread reporter = new Thread(() -> report.print(account));
        reporter.start();
        synchronized (account) {
            balance++;
            System.out.println("paid"); //~ deadlock
        }
        reporter.join();
    }
}
