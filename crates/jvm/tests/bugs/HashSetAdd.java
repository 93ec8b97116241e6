//@ switches 2
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** The row HashSet of table 1: two threads add without a lock, and one element is not there. */
public class HashSetAdd {
    public static void main(String[] args) throws InterruptedException {
        Set<Integer> plain = new HashSet<>();
        Set<Integer> set = args.length > 0 ? Collections.synchronizedSet(plain) : plain;
        Thread other = new Thread(() -> set.add(1));
        other.start();
        set.add(17);
        other.join();
        assert set.size() == 2 && set.contains(1) && set.contains(17); //~ assertion
    }
}
