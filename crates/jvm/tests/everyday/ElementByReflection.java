//@ class natives
//@ verdict bug
import java.lang.reflect.Array;

/** An element of an array is incremented by reflection. */
public class ElementByReflection {
    static final int[] counts = {0};

    static void increment() {
        Array.setInt(counts, 0, Array.getInt(counts, 0) + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ElementByReflection::increment);
        other.start();
        increment();
        other.join();
        assert counts[0] == 2; //~ assertion
    }
}
