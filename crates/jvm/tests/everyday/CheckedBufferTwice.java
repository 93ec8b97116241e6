//@ class natives
//@ verdict bug
/** Two calls of a `StringBuffer` are not one. */
public class CheckedBufferTwice {
    public static void main(String[] args) throws InterruptedException {
        StringBuffer buffer = new StringBuffer("a");
        Thread other = new Thread(() -> buffer.setLength(0));
        other.start();
        if (buffer.length() > 0) {
            buffer.charAt(0); //~ exception
        }
        other.join();
    }
}
