//@ class natives
//@ verdict bug
import java.util.zip.CRC32;

/** A checksum depends on who comes first. */
public class ChecksumOfTwo {
    public static void main(String[] args) throws InterruptedException {
        CRC32 sum = new CRC32();
        Thread other = new Thread(() -> sum.update(1));
        other.start();
        sum.update(2);
        other.join();
        CRC32 expected = new CRC32();
        expected.update(1);
        expected.update(2);
        assert sum.getValue() == expected.getValue(); //~ assertion
    }
}
