//@ class natives
//@ verdict ok
/** Lines are read by two threads from one reader. */
public class SharedReader {
    static final java.io.BufferedReader reader = new java.io.BufferedReader(new java.io.StringReader("x\ny\n"));
    static String others;

    static String line() {
        try {
            return reader.readLine();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> others = line());
        other.start();
        String own = line();
        other.join();
        assert (own + others).equals("xy") || (own + others).equals("yx");
    }
}
