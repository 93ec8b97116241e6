/**
 * A slot for one item, two consumers and one producer. Waiting is guarded by {@code if} instead of
 * {@code while}: a consumer that is woken late finds the slot empty again.
 */
public class OneSlot {
    private Integer item;

    synchronized void put(int value) {
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        if (item == null) {
            wait();
        }
        int value = item;
        item = null;
        return value;
    }

    public static void main(String[] args) {
        OneSlot slot = new OneSlot();
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
