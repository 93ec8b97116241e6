//@ switches 2
import java.util.concurrent.ConcurrentHashMap;

/** A concurrent map does not make a look and a later put one step. */
public class AbsentKey {
    static final ConcurrentHashMap<String, Integer> owners = new ConcurrentHashMap<>();

    static boolean claim(String key, int who, boolean fixed) {
        if (fixed) {
            return owners.putIfAbsent(key, who) == null;
        }
        if (owners.containsKey(key)) {
            return false;
        }
        owners.put(key, who);
        return true;
    }

    public static void main(String[] args) throws InterruptedException {
        boolean fixed = args.length > 0;
        boolean[] got = new boolean[2];
        Thread other = new Thread(() -> got[1] = claim("lamp", 1, fixed));
        other.start();
        got[0] = claim("lamp", 0, fixed);
        other.join();
        assert got[0] != got[1] : "the lamp has two owners"; //~ assertion
    }
}
