import java.util.HashSet;
import java.util.Set;

/** Iterating over a set while another thread adds to it. */
public class HashSetAddAll {
    public static void main(String[] arguments) {
        Set<Integer> from = new HashSet<>();
        from.add(1);
        from.add(2);
        Set<Integer> to = new HashSet<>();
        new Thread(() -> to.addAll(from)).start();
        new Thread(() -> from.remove(2)).start();
    }
}
