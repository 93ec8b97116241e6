/** Two consumers wait for two items; woken ones look again, or do not. This one is right. */
public class TwoConsumersFix {
    static int items = 0;
    static final Object m = new Object();
    static void consume() {
        synchronized (m) {
            try {
                while (items == 0) m.wait();
            } catch (InterruptedException e) {
                return;
            }
            items--;
            if (items < 0) throw new IllegalStateException("negative");
        }
    }
    public static void main(String[] a) throws Exception {
        Thread c1 = new Thread(TwoConsumersFix::consume);
        Thread c2 = new Thread(TwoConsumersFix::consume);
        c1.start();
        c2.start();
        synchronized (m) {
            items++;
            m.notifyAll();
        }
        synchronized (m) {
            items++;
            m.notifyAll();
        }
        c1.join();
        c2.join();
    }
}
