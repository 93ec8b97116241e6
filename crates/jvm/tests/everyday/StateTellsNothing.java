//@ class races
//@ verdict ok
//@ racy
/** What a thread was doing says nothing about what it has written. */
public class StateTellsNothing {
    static int data;
    static final Object monitor = new Object();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            data = 1; //~ race
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
        assert data == 1; //~ race
        synchronized (monitor) {
            ready = true;
            monitor.notify();
        }
        other.join();
    }
}
