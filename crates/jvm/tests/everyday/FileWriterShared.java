//@ class files
//@ verdict ok
import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Two threads print lines through one writer, which locks itself. */
public class FileWriterShared {
    public static void main(String[] args) throws Exception {
        Path log = Files.createTempFile("log", ".txt");
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            Thread other = new Thread(() -> writer.println("there"));
            other.start();
            writer.println("here");
            other.join();
        }
        List<String> lines = Files.readAllLines(log);
        Collections.sort(lines);
        assert lines.equals(List.of("here", "there")) : lines;
    }
}
