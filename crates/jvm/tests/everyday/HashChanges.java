//@ class hidden
//@ verdict bug
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The hash code of an element changes while a set is asked for it. */
public class HashChanges {
    static final class Key {
        int number = 1;

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Key key = new Key();
        Set<Key> keys = new HashSet<>(List.of(key));
        Thread other = new Thread(() -> key.number = 2);
        other.start();
        boolean found = keys.contains(key);
        other.join();
        assert found; //~ assertion
    }
}
