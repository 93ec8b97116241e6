//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;

/** What a list iterator replaces by what it has read is lost to others. */
public class ListIteratorSets {
    public static void main(String[] args) throws InterruptedException {
        List<Integer> list = new ArrayList<>(List.of(1));
        Runnable increment = () -> {
            for (ListIterator<Integer> each = list.listIterator(); each.hasNext();) {
                each.set(each.next() + 1);
            }
        };
        Thread other = new Thread(increment);
        other.start();
        increment.run();
        other.join();
        assert list.get(0) == 3; //~ assertion
    }
}
