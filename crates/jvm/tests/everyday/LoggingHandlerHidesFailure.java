//@ class threads
//@ verdict bug
/** A handler that only logs does not make a failed assertion right. */
public class LoggingHandlerHidesFailure {
    static volatile int x;

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(
            (thread, cause) -> System.err.println(thread.getName() + ": " + cause));
        Thread other = new Thread(() -> x = 1);
        other.start();
        assert x == 0; //~ assertion
        other.join();
    }
}
