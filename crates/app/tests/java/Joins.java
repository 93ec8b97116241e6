public class Joins {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            synchronized (LOCK) {
                System.out.println("working");
            }
        }, "worker");
        worker.start();
        synchronized (LOCK) {
            worker.join();
        }
    }
}
