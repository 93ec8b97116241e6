//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** Words are joined while one is replaced by two. */
public class JoinedText {
    static final List<String> words = new ArrayList<>(List.of("a", "b"));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            words.set(0, "A");
            words.set(1, "B");
        });
        other.start();
        String text = String.join("", words);
        other.join();
        assert !text.equals("Ab"); //~ assertion
    }
}
