import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A terminal that is not there, the computer's own name, a file of log records, and a channel of two threads. */
public class Surroundings {
    public static void main(String[] args) throws Exception {
        System.out.println(System.console());
        System.out.println(InetAddress.getByName("localhost"));
        System.out.println(InetAddress.getAllByName("localhost").length > 0);
        log();
        write();
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

    static void write() throws Exception {
        Path file = Files.createTempFile("bytes", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            Thread[] writers = new Thread[2];
            for (int i = 0; i < 2; i++) {
                int place = 2 * i;
                writers[i] = new Thread(() -> {
                    try {
                        channel.write(ByteBuffer.wrap(new byte[] {1, (byte) place}), place);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                writers[i].start();
            }
            for (Thread writer : writers) writer.join();
            System.out.println(Files.size(file));
        }
        byte[] bytes = Files.readAllBytes(file);
        System.out.println(bytes[0] + " " + bytes[1] + " " + bytes[2] + " " + bytes[3]);
        Files.delete(file);
    }
}
