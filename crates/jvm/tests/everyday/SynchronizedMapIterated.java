//@ class natives
//@ verdict bug
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Iterating over a synchronized map needs its lock. */
public class SynchronizedMapIterated {
    static final Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>(Map.of(1, 1)));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> map.put(2, 2));
        other.start();
        int sum = 0;
        for (int key : map.keySet()) { //~ exception
            sum += key;
        }
        other.join();
        assert sum >= 1; //~ assertion
    }
}
