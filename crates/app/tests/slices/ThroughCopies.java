import java.util.Arrays;

/** The value goes through an array that is copied, a text and a comparison. */
public class ThroughCopies {
    static int x;
    static int unused;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            x = 5; // shown
            unused = 6; // hidden
        });
        other.start(); // shown
        int seen = unused; // hidden
        int[] first = {1, x, 3}; // shown
        int[] second = Arrays.copyOf(first, 3);
        int[] third = new int[3];
        System.arraycopy(second, 0, third, 0, 3);
        String text = "is " + third[1];
        System.out.println(seen);
        if (text.equals("is 5")) {
            throw new AssertionError("five");
        }
        other.join();
    }
}
