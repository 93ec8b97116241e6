//@ class files
//@ verdict incomplete([unsupported])
//@ unsupported
import java.nio.channels.FileChannel;
import java.nio.file.*;

/** Locks on files are not supported. */
public class FileLocked {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("data", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.lock();
        }
    }
}
