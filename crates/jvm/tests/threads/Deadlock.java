/** Two threads take two locks in different order: some schedules deadlock. */
public class Deadlock {
    static final Object a = new Object(), b = new Object();
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> { synchronized (a) { synchronized (b) { } } });
        Thread u = new Thread(() -> { synchronized (b) { synchronized (a) { } } });
        t.start();
        u.start();
        t.join();
        u.join();
        System.out.println("done");
    }
}
