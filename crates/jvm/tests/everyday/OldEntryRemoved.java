//@ class threads
//@ verdict ok
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Whoever finds an entry too old removes this one and no other. */
public class OldEntryRemoved {
    record Entry(String value, long expires) {}

    static final ConcurrentMap<String, Entry> cache = new ConcurrentHashMap<>();
    static final long NOW = 20;

    static String get(String key) {
        Entry entry = cache.get(key);
        if (entry != null && entry.expires() <= NOW) {
            cache.remove(key, entry);
            return null;
        }
        return entry == null ? null : entry.value();
    }

    public static void main(String[] args) throws InterruptedException {
        cache.put("key", new Entry("old", 10));
        Thread reader = new Thread(() -> get("key"));
        reader.start();
        cache.put("key", new Entry("new", 30));
        reader.join();
        assert "new".equals(get("key"));
    }
}
