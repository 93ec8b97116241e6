//@ class files
//@ verdict ok
import java.io.*;
import java.nio.file.*;

/** The complete file is moved to where readers look for it. */
public class FileMovedIntoPlace {
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("config");
        Path config = folder.resolve("config.txt");
        Thread writer = new Thread(() -> {
            try {
                Path made = folder.resolve("config.tmp");
                Files.writeString(made, "name=x\nsize=3\n");
                Files.move(made, config, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        if (Files.exists(config)) {
            assert Files.readAllLines(config).size() == 2;
        }
        writer.join();
        assert !Files.exists(folder.resolve("config.tmp"));
    }
}
