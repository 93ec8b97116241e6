//@ class threads
//@ verdict ok
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Two threads look up the same kind of signature for the first time. */
public class MacOfBoth {
    static byte[] sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec("key".getBytes(), "HmacSHA256"));
            return mac.doFinal(text.getBytes());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        byte[][] first = new byte[1][];
        Thread other = new Thread(() -> first[0] = sign("a"));
        other.start();
        byte[] second = sign("b");
        other.join();
        assert first[0].length == 32 && second.length == 32;
        assert first[0][0] != second[0];
    }
}
