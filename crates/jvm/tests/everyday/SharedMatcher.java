//@ class hidden
//@ verdict bug
/** A matcher is shared, which is not allowed: both threads can find the same word. */
public class SharedMatcher {
    static final java.util.regex.Matcher matcher = java.util.regex.Pattern.compile("w").matcher("w w");
    static int others = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            if (matcher.find()) others = 1;
        });
        other.start();
        boolean own = matcher.find();
        other.join();
        assert own && others == 1;
        assert !matcher.find(); //~ assertion
    }
}
