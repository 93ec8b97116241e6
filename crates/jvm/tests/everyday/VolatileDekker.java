//@ class memory
//@ verdict ok
/** The same with volatile fields needs no further word. */
public class VolatileDekker {
    static volatile int left, right;

    public static void main(String[] args) throws InterruptedException {
        int[] entered = new int[2];
        Thread other = new Thread(() -> {
            left = 1;
            if (right == 0) entered[0] = 1;
        });
        other.start();
        right = 1;
        if (left == 0) entered[1] = 1;
        other.join();
        assert entered[0] + entered[1] <= 1;
    }
}
