//@ class files
//@ verdict ok
import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Each thread appends with a stream of its own: no line is lost. */
public class FileAppendedByTwo {
    public static void main(String[] args) throws Exception {
        Path log = Files.createTempFile("log", ".txt");
        Thread other = new Thread(() -> append(log, "there"));
        other.start();
        append(log, "here");
        other.join();
        List<String> lines = Files.readAllLines(log);
        Collections.sort(lines);
        assert lines.equals(List.of("here", "there")) : lines;
    }

    static void append(Path log, String text) {
        try (PrintWriter writer = new PrintWriter(new FileWriter(log.toFile(), true))) {
            writer.println(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
