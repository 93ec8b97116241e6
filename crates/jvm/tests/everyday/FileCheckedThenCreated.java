//@ class files
//@ verdict bug
import java.nio.file.*;

/** Two threads look whether a file is there before they create it: both can find that it is not. */
public class FileCheckedThenCreated {
    public static void main(String[] args) throws Exception {
        Path lock = Files.createTempDirectory("work").resolve("lock");
        Runnable worker = () -> {
            try {
                if (!Files.exists(lock)) {
                    Files.createFile(lock);
                }
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e); //~ exception
            }
        };
        Thread one = new Thread(worker);
        Thread two = new Thread(worker);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
