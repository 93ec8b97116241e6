//@ class threads
//@ verdict ok
/** The action of a barrier runs before anybody passes. */
public class BarrierAction {
    static int sum;
    static final int[] parts = new int[2];
    static final java.util.concurrent.CyclicBarrier barrier =
        new java.util.concurrent.CyclicBarrier(2, () -> sum = parts[0] + parts[1]);

    static void work(int number) {
        parts[number] = number + 1;
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assert sum == 3;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work(1));
        other.start();
        work(0);
        other.join();
    }
}
