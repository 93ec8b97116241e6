//@ class natives
//@ verdict bug
import java.nio.ByteBuffer;

/** The position of a buffer is moved by both threads. */
public class RelativePutsOfTwo {
    public static void main(String[] args) throws InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(4);
        Thread other = new Thread(() -> buffer.put((byte) 1));
        other.start();
        buffer.put((byte) 2);
        other.join();
        assert buffer.position() == 2; //~ assertion
    }
}
