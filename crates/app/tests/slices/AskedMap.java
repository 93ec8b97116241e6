import java.util.concurrent.ConcurrentHashMap;

/** A map is asked and then changed, by two threads: the calls are told, though not what maps do inside. */
public class AskedMap {
    static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    static final ConcurrentHashMap<String, Integer> unused = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Integer now = counts.get("a"); // shown
            unused.put("b", 1); // hidden
            counts.put("a", now == null ? 1 : now + 1); // shown
        });
        other.start(); // shown
        Integer now = counts.get("a"); // shown
        unused.put("c", 1); // hidden
        counts.put("a", now == null ? 1 : now + 1); // shown
        other.join(); // shown
        if (counts.get("a") != 2) { // shown
            throw new IllegalStateException("lost");
        }
    }
}
