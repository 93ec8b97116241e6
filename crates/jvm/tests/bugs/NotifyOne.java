//@ switches 5
/** A buffer of one place whose notifications wake one thread, which may be the wrong one. */
public class NotifyOne {
    private Integer place;
    private final boolean all;

    NotifyOne(boolean all) {
        this.all = all;
    }

    private void wake() {
        if (all) {
            notifyAll();
        } else {
            notify();
        }
    }

    synchronized void put(int value) throws InterruptedException {
        while (place != null) {
            wait(); //~ deadlock
        }
        place = value;
        wake();
    }

    synchronized int take() throws InterruptedException {
        while (place == null) {
            wait(); //~ deadlock
        }
        int value = place;
        place = null;
        wake();
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        NotifyOne buffer = new NotifyOne(args.length > 0);
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                try {
                    buffer.take();
                } catch (InterruptedException stopped) {
                    throw new IllegalStateException(stopped);
                }
            }, "taker " + number).start();
        }
        buffer.put(1);
        buffer.put(2);
    }
}
