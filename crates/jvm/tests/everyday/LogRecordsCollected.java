//@ class hidden
//@ verdict bug
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A handler of log records collects them in an ordinary list. */
public class LogRecordsCollected {
    static final Logger logger = Logger.getLogger("records");
    static int records;

    public static void main(String[] args) throws InterruptedException {
        logger.setUseParentHandlers(false);
        logger.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                records++;
            }

            @Override
            public void flush() { }

            @Override
            public void close() { }
        });
        Thread other = new Thread(() -> logger.info("one"));
        other.start();
        logger.info("two");
        other.join();
        assert records == 2; //~ assertion
    }
}
