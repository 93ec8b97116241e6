//@ class natives
//@ verdict bug
import java.util.Arrays;

/** A copy of a range may or may not have what another thread writes. */
public class CopyOfRangeBeforeWrite {
    public static void main(String[] args) throws InterruptedException {
        String[] words = {"a", "b", "c"};
        Thread writer = new Thread(() -> words[1] = "x");
        writer.start();
        String[] copy = Arrays.copyOfRange(words, 1, 3);
        writer.join();
        assert copy[0].equals("b"); //~ assertion
    }
}
