//@ class hidden
//@ verdict bug
import java.util.TreeSet;

/** The order of a sorted set changes while the set is searched. */
public class OrderChanges {
    static volatile int sign = 1;

    public static void main(String[] args) throws InterruptedException {
        TreeSet<Integer> set = new TreeSet<>((a, b) -> sign * Integer.compare(a, b));
        set.add(1);
        set.add(2);
        Thread other = new Thread(() -> sign = -1);
        other.start();
        boolean found = set.contains(2);
        other.join();
        assert found; //~ assertion
    }
}
