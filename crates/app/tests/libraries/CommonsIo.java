// ok; commons-io
import org.apache.commons.io.*; import java.io.*; import java.nio.charset.StandardCharsets;
public class CommonsIo { public static void main(String[] a) throws Exception {
  PipedInputStream in = new PipedInputStream(); PipedOutputStream out = new PipedOutputStream(in);
  Thread t = new Thread(() -> { try (out) { IOUtils.write("hey", out, StandardCharsets.UTF_8); } catch (IOException e) { throw new UncheckedIOException(e); } }); t.start();
  String s = IOUtils.toString(in, StandardCharsets.UTF_8); t.join(); if (!s.equals("hey")) throw new AssertionError(s); } }
