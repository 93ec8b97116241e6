//@ class files
//@ verdict bug
import java.nio.file.*;

/** A counter in a file: reading and writing it are two operations. */
public class FileCounterLoses {
    static void increment(Path counter) {
        try {
            int value = Integer.parseInt(Files.readString(counter));
            Files.writeString(counter, "" + (value + 1), StandardOpenOption.WRITE);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Path counter = Files.createTempFile("counter", ".txt");
        Files.writeString(counter, "0");
        Thread other = new Thread(() -> increment(counter));
        other.start();
        increment(counter);
        other.join();
        assert Files.readString(counter).equals("2"); //~ assertion
    }
}
