import java.io.IOException;
import java.nio.file.*;
import java.util.stream.*;

/** Works in the folder that it is given, where there is a file `kept`. */
public class Draft {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Path kept = folder.resolve("kept");
        Thread other = new Thread(() -> add(kept, "b", folder.resolve("two")));
        other.start();
        add(kept, "a", folder.resolve("one"));
        other.join();
        try (Stream<Path> all = Files.list(folder)) {
            String names = all.map(path -> path.getFileName().toString()).sorted().collect(Collectors.joining(","));
            System.out.println(Files.readString(kept) + " " + names);
        }
        Files.delete(kept);
    }

    static void add(Path kept, String text, Path own) {
        try {
            String before = Files.readString(kept);
            Files.writeString(own, before + text);
            Files.copy(own, kept, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
