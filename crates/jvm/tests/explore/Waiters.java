/** Two threads wait and one notifies twice; who goes first is printed. */
public class Waiters {
    static int arrived;
    static String order = "";

    public static void main(String[] args) throws InterruptedException {
        Object monitor = new Object();
        Thread[] threads = new Thread[2];
        for (int number = 0; number < 2; number++) {
            String name = args[number];
            threads[number] = new Thread(() -> {
                synchronized (monitor) {
                    arrived++;
                    try {
                        monitor.wait();
                    } catch (InterruptedException stopped) {
                        return;
                    }
                    order += name;
                }
            }, name);
            threads[number].start();
        }
        int left = 2;
        while (left > 0) {
            synchronized (monitor) {
                if (arrived == 2 || args.length > 2) {
                    monitor.notify();
                    left--;
                } else {
                    break;
                }
            }
        }
        if (left == 0) {
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println(order);
        } else {
            threads[0].interrupt();
            threads[1].interrupt();
        }
    }
}
