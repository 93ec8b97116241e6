import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A terminal that is not there, the computer's own name, and a file of log records. */
public class Surroundings {
    public static void main(String[] args) throws Exception {
        System.out.println(System.console());
        System.out.println(InetAddress.getByName("localhost"));
        System.out.println(InetAddress.getAllByName("localhost").length > 0);
        log();
    }

    static void log() throws IOException {
        Path file = Files.createTempFile("records", ".log");
        FileHandler handler = new FileHandler(file.toString());
        handler.setFormatter(new Formatter() {
            @Override
            public String format(LogRecord record) {
                return record.getLevel() + " " + formatMessage(record) + "\n";
            }
        });
        Logger logger = Logger.getLogger("surroundings");
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        logger.info("first");
        logger.log(java.util.logging.Level.WARNING, "second {0}", 2);
        handler.close();
        System.out.println(Files.readAllLines(file));
        Files.delete(file);
    }
}
