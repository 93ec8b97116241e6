import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** So many threads that write to a logger with a handler that counts. */
public class Logging {
    static class Counter extends Handler {
        int records;

        @Override
        public synchronized void publish(LogRecord entry) {
            records++;
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    public static void main(String[] arguments) {
        Logger logger = Logger.getLogger("bench");
        logger.setUseParentHandlers(false);
        logger.addHandler(new Counter());
        for (int thread = 0; thread < Integer.parseInt(arguments[0]); thread++) {
            new Thread(() -> logger.info("working")).start();
        }
    }
}
