// bug; slf4j-api slf4j-simple
import org.slf4j.*;
public class Slf4jSimple { static final Logger L = LoggerFactory.getLogger(Slf4jSimple.class); static int n;
 public static void main(String[] a) throws Exception { Thread t = new Thread(() -> { L.info("hello {}", 1); n++; }); t.start(); L.warn("there"); n++; t.join(); if (n != 2) throw new AssertionError(n); } }
