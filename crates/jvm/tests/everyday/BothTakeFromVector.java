//@ class hidden
//@ verdict bug
import java.util.List;
import java.util.Vector;

/** Each call is synchronized, but not the two together. */
public class BothTakeFromVector {
    static final Vector<Integer> vector = new Vector<>(List.of(1));

    static void take() {
        if (!vector.isEmpty()) vector.remove(0); //~ exception
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(BothTakeFromVector::take);
        other.start();
        take();
        other.join();
    }
}
