//@ class files
//@ verdict bug
import java.io.*;
import java.nio.file.*;

/** Without appending, both begin at the start of the file, and one may overwrite the other. */
public class FileOverwritten {
    public static void main(String[] args) throws Exception {
        File log = File.createTempFile("log", ".txt");
        Thread other = new Thread(() -> write(log, "bb"));
        other.start();
        write(log, "a");
        other.join();
        assert log.length() == 2 : Files.readString(log.toPath()); //~ assertion
    }

    static void write(File log, String text) {
        try (FileOutputStream out = new FileOutputStream(log)) {
            out.write(text.getBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
