//@ class natives
//@ verdict ok
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Iterators of concurrent maps never fail. */
public class WeakIteration {
    static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(Map.of(1, 1));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> map.put(2, 2));
        other.start();
        int sum = 0;
        for (int key : map.keySet()) sum += key;
        assert sum == 1 || sum == 3;
        other.join();
    }
}
