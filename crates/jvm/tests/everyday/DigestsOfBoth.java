//@ class threads
//@ verdict ok
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Two threads look up the same digest for the first time. */
public class DigestsOfBoth {
    static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes());
            return HexFormat.of().formatHex(sum, 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        String[] first = new String[1];
        Thread other = new Thread(() -> first[0] = digest("a"));
        other.start();
        String second = digest("b");
        other.join();
        assert first[0].equals("ca978112");
        assert second.equals("3e23e816");
    }
}
