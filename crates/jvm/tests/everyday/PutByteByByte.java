//@ class hidden
//@ verdict bug
import java.nio.ByteBuffer;

/** The position of a buffer is lost. */
public class PutByteByByte {
    static final ByteBuffer buffer = ByteBuffer.allocate(4);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> buffer.put((byte) 1));
        other.start();
        buffer.put((byte) 1);
        other.join();
        assert buffer.position() == 2; //~ assertion
    }
}
