//@ class files
//@ verdict bug
import java.io.*;
import java.nio.file.*;
import java.util.stream.*;

/** A folder is listed while another thread fills it. */
public class FileFoldersListed {
    public static void main(String[] args) throws Exception {
        Path inbox = Files.createTempDirectory("inbox");
        Thread sender = new Thread(() -> {
            try {
                Files.writeString(inbox.resolve("letter"), "hello");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        sender.start();
        try (Stream<Path> letters = Files.list(inbox)) {
            for (Path letter : letters.collect(Collectors.toList())) {
                assert Files.size(letter) == 5; //~ assertion
            }
        }
        sender.join();
    }
}
