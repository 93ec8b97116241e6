import java.util.concurrent.ConcurrentHashMap;

/**
 * Visits of a page are counted in a map that many threads may use. Each call of the map is safe, but
 * getting the count and putting it back are two calls, and another visit can come between them.
 */
public class HitCounter {
    private static final ConcurrentHashMap<String, Integer> HITS = new ConcurrentHashMap<>();

    static void visit(String page) {
        int before = HITS.getOrDefault(page, 0);
        HITS.put(page, before + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        HITS.put("/", 0);
        Thread first = new Thread(() -> visit("/"));
        Thread second = new Thread(() -> visit("/"));
        first.start();
        second.start();
        first.join();
        second.join();
        assert HITS.get("/") == 2 : "a visit is lost";
    }
}
