//@ switches 2
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Two keys of one bucket are put at once, and one of them is lost. */
public class HashMapPut {
    public static void main(String[] args) throws InterruptedException {
        Map<Integer, String> map = args.length > 0 ? new ConcurrentHashMap<>() : new HashMap<>();
        Thread other = new Thread(() -> map.put(16, "sixteen"));
        other.start();
        map.put(0, "zero");
        other.join();
        if (map.get(0) == null || map.get(16) == null) {
            throw new IllegalStateException("an entry is lost"); //~ exception
        }
    }
}
