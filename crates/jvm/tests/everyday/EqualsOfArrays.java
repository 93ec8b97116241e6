//@ class natives
//@ verdict bug
import java.util.Arrays;

/** Two arrays are compared while both are changed together. */
public class EqualsOfArrays {
    static final int[] left = {1}, right = {1};

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            left[0] = 2;
            right[0] = 2;
        });
        other.start();
        assert Arrays.equals(left, right); //~ assertion
        other.join();
    }
}
