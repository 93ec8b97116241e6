//@ class threads
//@ verdict bug
/** A hook that needs the lock of the thread that has called `exit` never ends. */
public class ExitInsideLock {
    public static void main(String[] args) {
        Object lock = new Object();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (lock) { //~ deadlock
                System.out.println("bye");
            }
        }));
        synchronized (lock) {
            System.exit(0); //~ deadlock
        }
    }
}
