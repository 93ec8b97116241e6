//@ switches 2
import java.util.List;
import java.util.Vector;

/**
 * A row Vector of table 1: a synchronized method goes through another vector without its lock. In
 * today's library the iterator notices.
 */
public class VectorContainsAll {
    public static void main(String[] args) {
        Vector<String> all = new Vector<>(List.of("a", "b"));
        Vector<String> some = new Vector<>(List.of("a", "b"));
        boolean fixed = args.length > 0;
        new Thread(() -> some.remove("a")).start();
        if (fixed) {
            synchronized (some) {
                all.containsAll(some);
            }
        } else {
            all.containsAll(some); //~ exception
        }
    }
}
