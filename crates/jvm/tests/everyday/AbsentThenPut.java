//@ class hidden
//@ verdict bug
import java.util.concurrent.ConcurrentHashMap;

/** Asking and putting are two operations. */
public class AbsentThenPut {
    public static void main(String[] args) throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        Thread other = new Thread(() -> map.put("k", map.getOrDefault("k", 0) + 1));
        other.start();
        map.put("k", map.getOrDefault("k", 0) + 1);
        other.join();
        assert map.get("k") == 2; //~ assertion
    }
}
