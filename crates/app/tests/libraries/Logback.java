// incomplete; slf4j-api logback-classic logback-core
import org.slf4j.*;
public class Logback { static final Logger L = LoggerFactory.getLogger(Logback.class);
 public static void main(String[] a) throws Exception { Thread t = new Thread(() -> L.info("hello {}", 1)); t.start(); L.warn("there"); t.join(); } }
