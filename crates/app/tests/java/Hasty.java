public class Hasty {
    static boolean ready;
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notify();
            }
        }, "maker");
        maker.start();
        synchronized (lock) {
            if (!ready) {
                lock.wait();
            }
            if (!ready) {
                throw new IllegalStateException("woken too early");
            }
        }
    }
}
