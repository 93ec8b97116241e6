import java.util.logging.*;
public class LoggingHandler {
    public static void main(String[] a) {
        Logger l = Logger.getLogger("my.log");
        l.setUseParentHandlers(false);
        Handler h = new StreamHandler(System.out, new Formatter() { public String format(LogRecord r) { return r.getLevel() + ":" + r.getMessage() + "\n"; } });
        h.setLevel(Level.ALL);
        l.addHandler(h);
        l.setLevel(Level.FINE);
        l.info("info");
        l.fine("fine");
        l.finer("finer");
        l.log(Level.WARNING, "w {0}", 5);
        h.flush();
        System.out.println(l.getName() + l.getLevel() + l.isLoggable(Level.FINER));
    }
}
