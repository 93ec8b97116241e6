//@ class races
//@ verdict ok
import java.util.concurrent.ConcurrentHashMap;

/** What is put into a concurrent map is published with it. */
public class MapPublishes {
    static final ConcurrentHashMap<String, int[]> cache = new ConcurrentHashMap<>();

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> cache.put("k", new int[] {7}));
        writer.start();
        int[] found = cache.get("k");
        assert found == null || found[0] == 7;
        writer.join();
    }
}
