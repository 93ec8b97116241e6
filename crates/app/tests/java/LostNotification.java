public class LostNotification {
    static final Object DOOR = new Object();

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            synchronized (DOOR) {
                DOOR.notify();
            }
        }, "opener").start();
        synchronized (DOOR) {
            DOOR.wait();
        }
    }
}
