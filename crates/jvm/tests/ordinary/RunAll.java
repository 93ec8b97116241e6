import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs programs one after the other in one virtual machine, each with output files of its own. */
public class RunAll {
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (int i = 1; i < arguments.length; i++) {
            String name = arguments[i];
            try (PrintStream out = new PrintStream(folder.resolve(name + ".txt").toFile(), "UTF-8");
                 PrintStream err = new PrintStream(folder.resolve(name + ".err").toFile(), "UTF-8")) {
                System.setOut(out);
                System.setErr(err);
                System.setIn(new ByteArrayInputStream(new byte[0]));
                Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            }
        }
        System.exit(0);
    }
}
