import java.io.*;
import java.nio.file.*;

/** Two threads that write to files of their own, in folders of their own, and read a common one. */
public class Apart {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Files.createDirectory(folder.resolve("left"));
        Files.createDirectory(folder.resolve("right"));
        Thread other = new Thread(() -> work(folder, "left"));
        other.start();
        work(folder, "right");
        other.join();
        System.out.println(Files.readString(folder.resolve("left/out")) + Files.size(folder.resolve("right/out")));
    }

    static void work(Path folder, String name) {
        try (PrintWriter out = new PrintWriter(folder.resolve(name).resolve("out").toFile())) {
            out.print(name);
            out.print(Files.readString(folder.resolve("kept")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
