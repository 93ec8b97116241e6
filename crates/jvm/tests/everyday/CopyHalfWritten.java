//@ class natives
//@ verdict bug
import java.util.Arrays;

/** A snapshot with Arrays.copyOf is taken while the two halves of a pair are written. */
public class CopyHalfWritten {
    static final int[] pair = {0, 0};

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            pair[0] = 1;
            pair[1] = 1;
        });
        writer.start();
        int[] copy = Arrays.copyOf(pair, 2);
        assert copy[1] <= copy[0]; //~ assertion
        writer.join();
    }
}
