//@ class hidden
//@ verdict bug
import java.util.StringTokenizer;

/** Two threads take the same word. */
public class SharedTokens {
    static final StringTokenizer words = new StringTokenizer("one two");
    static String first;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> first = words.nextToken());
        other.start();
        String second = words.nextToken();
        other.join();
        assert !first.equals(second); //~ assertion
    }
}
