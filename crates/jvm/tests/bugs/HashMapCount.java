//@ switches 2
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** A synchronized map does not make reading and writing back one step. */
public class HashMapCount {
    static final Map<String, Integer> counts = Collections.synchronizedMap(new HashMap<>());

    static void count(String word, boolean fixed) {
        if (fixed) {
            counts.merge(word, 1, Integer::sum);
        } else {
            Integer before = counts.get(word);
            counts.put(word, before == null ? 1 : before + 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean fixed = args.length > 0;
        Thread other = new Thread(() -> count("so", fixed));
        other.start();
        count("so", fixed);
        other.join();
        assert counts.get("so") == 2; //~ assertion
    }
}
