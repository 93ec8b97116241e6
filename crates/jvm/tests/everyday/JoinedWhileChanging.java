//@ class hidden
//@ verdict bug
import java.util.Arrays;
import java.util.List;

/** `String.join` goes through the list. */
public class JoinedWhileChanging {
    public static void main(String[] args) throws InterruptedException {
        List<String> words = Arrays.asList("a", "b");
        Thread other = new Thread(() -> {
            words.set(0, "x");
            words.set(1, "y");
        });
        other.start();
        String text = String.join("-", words);
        other.join();
        assert !text.equals("a-y"); //~ assertion
    }
}
