//@ class natives
//@ verdict ok
/** A `StringBuffer` locks itself in every method. */
public class BufferDeletedWhileAppended {
    public static void main(String[] args) throws InterruptedException {
        StringBuffer buffer = new StringBuffer("ab");
        Thread other = new Thread(() -> buffer.append("cd"));
        other.start();
        buffer.deleteCharAt(0);
        other.join();
        assert buffer.toString().equals("bcd");
    }
}
