//@ class hidden
//@ verdict bug
import java.util.BitSet;

/** Two bits of a set share a word. */
public class BitsOfOneWord {
    static final BitSet bits = new BitSet();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> bits.set(1));
        other.start();
        bits.set(2);
        other.join();
        assert bits.cardinality() == 2; //~ assertion
    }
}
