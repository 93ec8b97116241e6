//@ class threads
//@ verdict bug
/** The monitor of a thread is held while it runs. */
public class MonitorOfRun {
    static final Object lock = new Object();

    static final class Worker extends Thread {
        @Override
        public synchronized void run() {
            synchronized (lock) { } //~ deadlock
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        synchronized (lock) {
            synchronized (worker) { } //~ deadlock
        }
        worker.join();
    }
}
