/**
 * One thread waits for a signal, another gives it. If the signal comes before the wait, nobody ever
 * wakes the waiting thread.
 */
public class MissedSignal {
    static final Object door = new Object();

    static void await() {
        synchronized (door) {
            try {
                door.wait();
            } catch (InterruptedException ignored) {
                return;
            }
        }
    }

    static void open() {
        synchronized (door) {
            door.notifyAll();
        }
    }

    public static void main(String[] args) {
        new Thread(MissedSignal::await).start();
        open();
    }
}
