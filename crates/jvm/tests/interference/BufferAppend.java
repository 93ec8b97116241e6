/** Appending a buffer to another one while a third thread shortens it. */
public class BufferAppend {
    public static void main(String[] arguments) {
        StringBuffer from = new StringBuffer("ab");
        StringBuffer to = new StringBuffer();
        new Thread(() -> to.append((CharSequence) from, 0, from.length())).start();
        new Thread(() -> from.setLength(0)).start();
    }
}
