/**
 * A slot for one item, two consumers and a producer of two items. Taking is guarded by {@code if}
 * instead of {@code while}: a consumer that is woken late finds the slot empty again.
 */
public class OneSlot {
    private Integer item;

    synchronized void put(int value) throws InterruptedException {
        while (item != null) {
            wait();
        }
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        if (item == null) {
            wait();
        }
        int value = item;
        item = null;
        notifyAll();
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        OneSlot slot = new OneSlot();
        Runnable consumer = () -> {
            try {
                slot.take();
            } catch (InterruptedException ignored) {
                return;
            }
        };
        new Thread(consumer).start();
        new Thread(consumer).start();
        slot.put(1);
        slot.put(2);
    }
}
