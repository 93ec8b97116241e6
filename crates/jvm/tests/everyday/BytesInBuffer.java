//@ class natives
//@ verdict bug
/** Two threads put a byte each into a buffer. */
public class BytesInBuffer {
    static final java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocate(4);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> buffer.put((byte) 1));
        other.start();
        buffer.put((byte) 2);
        other.join();
        assert buffer.position() == 2; //~ assertion
    }
}
