/** A join with a time limit may come back before the other thread has ended. */
public class TimedJoin {
    static int result;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            synchronized (TimedJoin.class) {
                result = 1;
            }
        });
        worker.start();
        worker.join(100);
        synchronized (TimedJoin.class) {
            if (result != 1) {
                throw new AssertionError("not ready");
            }
        }
    }
}
