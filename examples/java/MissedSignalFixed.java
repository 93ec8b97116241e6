/** The same door, repaired: the state is kept in a variable and looked at before waiting. */
public class MissedSignalFixed {
    static final Object door = new Object();
    static boolean isOpen = false;

    static void await() {
        synchronized (door) {
            while (!isOpen) {
                try {
                    door.wait();
                } catch (InterruptedException ignored) {
                    return;
                }
            }
        }
    }

    static void open() {
        synchronized (door) {
            isOpen = true;
            door.notifyAll();
        }
    }

    public static void main(String[] args) {
        new Thread(MissedSignalFixed::await).start();
        open();
    }
}
