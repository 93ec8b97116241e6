//@ class hidden
//@ verdict bug
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reading a map that remembers the order of its accesses changes it. */
public class LookedUpInOrder {
    static final Map<Integer, Integer> map = new LinkedHashMap<>(16, 0.75f, true);

    public static void main(String[] args) throws InterruptedException {
        map.put(1, 1);
        map.put(2, 2);
        Thread other = new Thread(() -> map.get(1));
        other.start();
        boolean changed = false;
        try {
            for (int key : map.keySet()) changed |= key == 0;
        } catch (ConcurrentModificationException e) {
            changed = true;
        }
        other.join();
        assert !changed; //~ assertion
    }
}
