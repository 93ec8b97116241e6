//@ class hidden
//@ verdict bug
/** A line is written in two parts into a shared writer. */
public class WrittenToWriter {
    static final java.io.StringWriter writer = new java.io.StringWriter();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            writer.write("b");
            writer.write("B");
        });
        other.start();
        writer.write("a");
        other.join();
        assert !writer.toString().equals("baB"); //~ assertion
    }
}
