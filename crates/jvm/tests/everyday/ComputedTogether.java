//@ class hidden
//@ verdict ok
import java.util.concurrent.ConcurrentHashMap;

/** `compute` and `merge` of one key are atomic. */
public class ComputedTogether {
    public static void main(String[] args) throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        Thread other = new Thread(() -> map.compute("k", (key, old) -> old == null ? 1 : old + 1));
        other.start();
        map.merge("k", 1, Integer::sum);
        other.join();
        assert map.get("k") == 2;
    }
}
