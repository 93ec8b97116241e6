/**
 * The same slot, repaired: {@code while} looks again after every wake-up, whoever caused it and
 * however late it comes.
 */
public class OneSlotFixed {
    private Integer item;

    synchronized void put(int value) throws InterruptedException {
        while (item != null) {
            wait();
        }
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (item == null) {
            wait();
        }
        int value = item;
        item = null;
        notifyAll();
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        OneSlotFixed slot = new OneSlotFixed();
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
