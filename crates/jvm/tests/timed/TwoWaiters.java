/** Two threads wait for a while; one of them is notified, and one may be interrupted. */
public class TwoWaiters {
    static int sum;
    static boolean set;
    static String order = "";

    static Thread waiter(Object monitor, String name, int found, int missed) {
        return new Thread(() -> {
            synchronized (monitor) {
                try {
                    if (!set) {
                        monitor.wait(10);
                    }
                    order += name;
                } catch (InterruptedException e) {
                    order += name.toUpperCase();
                }
                sum += set ? found : missed;
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Object monitor = new Object();
        Thread one = waiter(monitor, "a", 1, 10);
        Thread two = waiter(monitor, "b", 100, 1000);
        one.start();
        two.start();
        synchronized (monitor) {
            set = true;
            monitor.notify();
        }
        if (args.length > 0) {
            one.interrupt();
        }
        one.join();
        two.join();
        System.out.println(order + sum);
    }
}
