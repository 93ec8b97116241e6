//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** A logging handler collects messages in a plain list. */
public class HandlerCollects {
    static final List<String> messages = new ArrayList<>();

    public static void main(String[] args) throws InterruptedException {
        java.util.logging.Logger logger = java.util.logging.Logger.getAnonymousLogger();
        logger.setUseParentHandlers(false);
        logger.addHandler(new java.util.logging.Handler() {
            @Override
            public void publish(java.util.logging.LogRecord record) { messages.add(record.getMessage()); } //~ exception
            @Override
            public void flush() {}
            @Override
            public void close() {}
        });
        Thread other = new Thread(() -> logger.info("other"));
        other.start();
        logger.info("main");
        other.join();
        assert messages.size() == 2; //~ assertion
    }
}
