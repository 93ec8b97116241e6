//@ class threads
//@ verdict bug
/** The main thread has the monitor of a worker, known as an `Object`, while it waits for what comes after the worker's end. */
public class EndsBehindItsMonitorAsObject {
    static void waitUnder(Object lock, Thread second) throws InterruptedException {
        synchronized (lock) {
            second.join(); //~ deadlock
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread() {
            @Override
            public void run() {
            } //~ deadlock
        };
        Thread second = new Thread(() -> {
            try {
                first.join(); //~ deadlock
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        second.start();
        waitUnder(first, second);
    }
}
