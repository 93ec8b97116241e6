//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** The `equals` of a record looks into its components. */
public class RecordOfMutable {
    record Basket(List<String> items, int number) { }

    public static void main(String[] args) throws InterruptedException {
        Basket one = new Basket(new ArrayList<>(List.of("a")), 1);
        Basket two = new Basket(new ArrayList<>(List.of("a")), 1);
        Thread other = new Thread(() -> one.items().set(0, "b"));
        other.start();
        boolean same = one.equals(two);
        other.join();
        assert same; //~ assertion
    }
}
