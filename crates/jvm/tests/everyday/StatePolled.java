//@ class threads
//@ verdict ok
/** A thread is woken when it is seen to wait. */
public class StatePolled {
    static final Object monitor = new Object();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                while (!ready) {
                    try {
                        monitor.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        });
        other.start();
        while (other.getState() != Thread.State.WAITING) Thread.yield();
        synchronized (monitor) {
            ready = true;
            monitor.notify();
        }
        other.join();
        assert other.getState() == Thread.State.TERMINATED;
    }
}
