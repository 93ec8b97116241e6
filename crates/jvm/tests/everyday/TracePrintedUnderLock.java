//@ class threads
//@ verdict bug
/** A stack trace is printed with the lock of the stream. */
public class TracePrintedUnderLock {
    static final Object state = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread reporter = new Thread(() -> {
            synchronized (System.err) {
                synchronized (state) { System.err.printf("%s%n", "reported"); } //~ deadlock
            }
        });
        reporter.start();
        synchronized (state) {
            new Exception("seen").printStackTrace(); //~ deadlock
        }
        reporter.join();
    }
}
