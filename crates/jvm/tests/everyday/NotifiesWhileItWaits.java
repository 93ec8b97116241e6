//@ class loops
//@ verdict ok
/** A buffer of one place whose both sides wake the other before they wait for some time, again and again. */
public class NotifiesWhileItWaits {
    private Integer place;

    synchronized void put(int value) throws InterruptedException {
        while (place != null) {
            notifyAll();
            wait(10);
        }
        place = value;
    }

    synchronized int take() throws InterruptedException {
        while (place == null) {
            notifyAll();
            wait(10);
        }
        int value = place;
        place = null;
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        NotifiesWhileItWaits buffer = new NotifiesWhileItWaits();
        Thread other = new Thread(() -> {
            try {
                buffer.put(1);
                buffer.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        assert buffer.take() == 1;
        assert buffer.take() == 2;
        other.join();
    }
}
