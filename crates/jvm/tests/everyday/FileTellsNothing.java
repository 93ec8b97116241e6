//@ class races
//@ verdict ok
//@ racy
import java.nio.file.*;

/** That a file is there does not order memory: the plain variable is a race. */
public class FileTellsNothing {
    static int value;

    public static void main(String[] args) throws Exception {
        Path flag = Files.createTempDirectory("flag").resolve("ready");
        Thread writer = new Thread(() -> {
            value = 1; //~ race
            try {
                Files.createFile(flag);
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        if (Files.exists(flag)) {
            System.out.println(value); //~ race
        }
        writer.join();
    }
}
