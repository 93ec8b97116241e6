//@ class natives
//@ verdict bug
import java.util.zip.Deflater;

/// A compressor that two threads use one after the other, in either order.
public class DeflaterOfTwo {
    static int zip(Deflater deflater, byte[] bytes) {
        synchronized (deflater) {
            deflater.setInput(bytes);
            return deflater.deflate(new byte[100]);
        }
    }

    public static void main(String[] args) throws Exception {
        Deflater deflater = new Deflater();
        zip(deflater, new byte[] {0});
        Thread other = new Thread(() -> zip(deflater, new byte[] {1}));
        other.start();
        zip(deflater, new byte[] {2});
        other.join();
        deflater.finish();
        byte[] end = new byte[100];
        int length = deflater.deflate(end);
        if (!deflater.finished() || deflater.getTotalIn() != 3) throw new IllegalStateException();
        // The sum depends on the order.
        if (deflater.getAdler() != 0x00070004) throw new AssertionError(Integer.toHexString(deflater.getAdler())); //~ assertion
    }
}
