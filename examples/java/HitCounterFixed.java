import java.util.concurrent.ConcurrentHashMap;

/** The same counter, repaired: {@code merge} gets, adds and puts back in one. */
public class HitCounterFixed {
    private static final ConcurrentHashMap<String, Integer> HITS = new ConcurrentHashMap<>();

    static void visit(String page) {
        HITS.merge(page, 1, Integer::sum);
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
