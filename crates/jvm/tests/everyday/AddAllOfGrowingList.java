//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** All of a list is added to another while it grows. */
public class AddAllOfGrowingList {
    static final List<Integer> source = new ArrayList<>(List.of(1, 2));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> source.set(1, 9));
        other.start();
        List<Integer> target = new ArrayList<>();
        target.addAll(source);
        assert target.equals(List.of(1, 2)); //~ assertion
        other.join();
    }
}
