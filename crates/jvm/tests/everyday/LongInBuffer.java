//@ class natives
//@ verdict bug
import java.nio.ByteBuffer;

/** An `int` in a buffer is four bytes to those who read bytes. */
public class LongInBuffer {
    public static void main(String[] args) throws InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        Thread other = new Thread(() -> buffer.putInt(0, -1));
        other.start();
        int seen = buffer.get(3);
        other.join();
        assert seen == 0; //~ assertion
    }
}
