import java.util.concurrent.ArrayBlockingQueue;

/** As many items are taken from a blocking queue as are put, or more. This one is right. */
public class QueueFix {
    public static void main(String[] a) throws Exception {
        ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);
        Thread t = new Thread(() -> {
            try {
                q.put(1);
                q.put(2);
            } catch (InterruptedException e) {
                // Ends.
            }
        });
        t.start();
        int s = q.take();
        s = q.take() - 1;
        t.join();
        if (s != 1) throw new AssertionError("s");
    }
}
