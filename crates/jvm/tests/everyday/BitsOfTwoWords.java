//@ class natives
//@ verdict bug
import java.util.BitSet;

/** A `BitSet` that has to grow loses what another thread sets. */
public class BitsOfTwoWords {
    public static void main(String[] args) throws InterruptedException {
        BitSet bits = new BitSet(64);
        Thread other = new Thread(() -> bits.set(3));
        other.start();
        bits.set(100);
        other.join();
        assert bits.get(3); //~ assertion
    }
}
