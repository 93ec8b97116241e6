//@ class natives
//@ verdict bug
/** A `StringBuilder` is reversed while it is read. */
public class BuilderReversed {
    public static void main(String[] args) throws InterruptedException {
        StringBuilder builder = new StringBuilder("abc");
        Thread other = new Thread(() -> builder.reverse());
        other.start();
        String seen = builder.toString();
        other.join();
        assert seen.equals("abc") || seen.equals("cba"); //~ assertion
    }
}
