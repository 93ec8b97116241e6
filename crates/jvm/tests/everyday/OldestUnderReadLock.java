//@ class threads
//@ verdict bug
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A map in the order of access is changed by looking things up, which a read lock lets two threads do at once. */
public class OldestUnderReadLock {
    static final Map<String, Integer> map = new LinkedHashMap<>(4, 0.75f, true);
    static final ReadWriteLock lock = new ReentrantReadWriteLock();

    static Integer get(String key) {
        lock.readLock().lock();
        try {
            return map.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        Thread other = new Thread(() -> get("a"));
        other.start();
        get("b");
        other.join();
        List<String> keys = new ArrayList<>();
        for (String key : map.keySet()) {
            keys.add(key);
            assert keys.size() <= 3;
        }
        assert keys.size() == 3; //~ assertion
    }
}
