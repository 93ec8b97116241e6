//@ class memory
//@ verdict ok
//@ racy
/** Dekker's entry with plain fields. */
public class PlainDekker {
    static int left, right, inside;

    public static void main(String[] args) throws InterruptedException {
        int[] entered = new int[2];
        Thread other = new Thread(() -> {
            left = 1; //~ race
            if (right == 0) entered[0] = 1; //~ race
        });
        other.start();
        right = 1; //~ race
        if (left == 0) entered[1] = 1; //~ race
        other.join();
        assert entered[0] + entered[1] <= 1;
    }
}
