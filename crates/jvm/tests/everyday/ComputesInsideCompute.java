//@ class threads
//@ verdict bug
import java.util.concurrent.ConcurrentHashMap;

/** What is computed for a key needs the other key, and the other way round. */
public class ComputesInsideCompute {
    static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(16);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(
                () -> map.computeIfAbsent(1, key -> map.computeIfAbsent(2, inner -> 2))); //~ deadlock
        other.start();
        map.computeIfAbsent(2, key -> map.computeIfAbsent(1, inner -> 1)); //~ deadlock
        other.join();
        assert map.size() == 2;
    }
}
