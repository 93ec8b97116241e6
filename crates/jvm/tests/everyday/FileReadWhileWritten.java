//@ class files
//@ verdict bug
import java.io.*;
import java.nio.file.*;

/** A reader may find a file half written; moving a complete one into its place is safe. */
public class FileReadWhileWritten {
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("config");
        Path config = folder.resolve("config.txt");
        Thread writer = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(config)) {
                out.write("name=x\n".getBytes());
                out.write("size=3\n".getBytes());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        if (Files.exists(config)) {
            assert Files.readAllLines(config).size() == 2; //~ assertion
        }
        writer.join();
    }
}
