/**
 * The same slot, repaired: {@code while} looks again after every wake-up. The consumer that gets
 * nothing goes on waiting, as a daemon may.
 */
public class OneSlotFixed {
    private Integer item;

    synchronized void put(int value) {
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (item == null) {
            wait();
        }
        int value = item;
        item = null;
        return value;
    }

    public static void main(String[] args) {
        OneSlotFixed slot = new OneSlotFixed();
        Runnable consumer = () -> {
            try {
                slot.take();
            } catch (InterruptedException ignored) {
                return;
            }
        };
        Thread[] consumers = {new Thread(consumer), new Thread(consumer)};
        for (Thread thread : consumers) {
            thread.setDaemon(true);
            thread.start();
        }
        slot.put(1);
    }
}
