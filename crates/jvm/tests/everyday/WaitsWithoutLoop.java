//@ class threads
//@ verdict bug
/** Who is woken does not look again whether there is something for him. */
public class WaitsWithoutLoop {
    static final Object monitor = new Object();
    static int items;

    static void take() {
        synchronized (monitor) {
            if (items == 0) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
            assert items > 0; //~ assertion
            items--;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Thread taker = new Thread(WaitsWithoutLoop::take);
            taker.setDaemon(true);
            taker.start();
        }
        synchronized (monitor) {
            items = 1;
            monitor.notifyAll();
        }
    }
}
