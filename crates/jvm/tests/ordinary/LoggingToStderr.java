import java.util.logging.*;
public class LoggingToStderr {
    private static final Logger LOG = Logger.getLogger(LoggingToStderr.class.getName());
    public static void main(String[] a) {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%4$s: %5$s%n");
        LOG.info("hello");
        LOG.warning("warn");
        LOG.fine("hidden");
        LOG.log(Level.SEVERE, "sev", new RuntimeException("x"));
        System.out.println("done");
    }
}
