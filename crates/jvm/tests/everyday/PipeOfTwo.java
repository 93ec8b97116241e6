//@ class loops
//@ verdict ok
import java.io.*;

/** A pipe, whose two ends wake each other before they wait for a second, again and again. */
public class PipeOfTwo {
    public static void main(String[] args) throws Exception {
        PipedInputStream in = new PipedInputStream();
        PipedOutputStream out = new PipedOutputStream(in);
        Thread writer = new Thread(() -> {
            try (out) {
                out.write('a');
                out.write('b');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();
        assert in.read() == 'a';
        assert in.read() == 'b';
        assert in.read() == -1;
        writer.join();
    }
}
