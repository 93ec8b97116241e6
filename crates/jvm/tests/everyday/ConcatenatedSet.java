//@ class hidden
//@ verdict bug
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A set is concatenated to a text while it grows. */
public class ConcatenatedSet {
    static final Set<String> tags = new LinkedHashSet<>(List.of("a", "b"));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> tags.add("c"));
        other.start();
        String text = "tags: " + tags; //~ exception
        other.join();
        assert text.startsWith("tags");
    }
}
