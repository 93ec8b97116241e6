//@ class hidden
//@ verdict ok
/** A print stream onto a buffer is used by two threads. */
public class StreamOntoMemory {
    public static void main(String[] args) throws InterruptedException {
        java.io.ByteArrayOutputStream memory = new java.io.ByteArrayOutputStream();
        java.io.PrintStream stream = new java.io.PrintStream(memory, true);
        Thread other = new Thread(() -> stream.print("bb"));
        other.start();
        stream.print("aa");
        other.join();
        String text = memory.toString();
        assert text.equals("aabb") || text.equals("bbaa");
    }
}
