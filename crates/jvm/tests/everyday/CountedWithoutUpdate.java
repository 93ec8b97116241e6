//@ class hidden
//@ verdict bug
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A concurrent map does not make two calls one. */
public class CountedWithoutUpdate {
    static final Map<String, Integer> counts = new ConcurrentHashMap<>();

    static void count() {
        counts.put("key", counts.getOrDefault("key", 0) + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(CountedWithoutUpdate::count);
        other.start();
        count();
        other.join();
        assert counts.get("key") == 2; //~ assertion
    }
}
