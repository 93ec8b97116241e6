//@ class hidden
//@ verdict ok
/** A pattern can be shared, matchers are made for each thread. */
public class SharedPattern {
    static final java.util.regex.Pattern digits = java.util.regex.Pattern.compile("[0-9]+");
    static boolean found;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> found = digits.matcher("a1").find());
        other.start();
        assert !digits.matcher("ab").find();
        other.join();
        assert found;
    }
}
