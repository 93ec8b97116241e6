//@ class hidden
//@ verdict ok
import java.util.Set;
import java.util.TreeSet;

/** A set is formatted under the lock that guards it. */
public class FormattedUnderLock {
    static final Set<Integer> seen = new TreeSet<>(Set.of(1));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (seen) { seen.add(2); }
        });
        other.start();
        String text;
        synchronized (seen) { text = String.format("%s!", seen); }
        assert text.equals("[1]!") || text.equals("[1, 2]!");
        other.join();
    }
}
