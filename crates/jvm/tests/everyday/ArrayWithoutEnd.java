//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** A list shrinks while it is copied into an array of its old size. */
public class ArrayWithoutEnd {
    static final List<Integer> list = new ArrayList<>(List.of(1, 2));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> list.remove(1));
        other.start();
        Integer[] copy = list.toArray(new Integer[2]);
        other.join();
        assert copy[1] != null; //~ assertion
    }
}
