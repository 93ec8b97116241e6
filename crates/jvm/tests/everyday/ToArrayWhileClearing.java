//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** A list is cleared while its elements are copied out. */
public class ToArrayWhileClearing {
    static final List<String> names = new ArrayList<>(List.of("ann"));

    public static void main(String[] args) throws InterruptedException {
        Thread cleaner = new Thread(names::clear);
        cleaner.start();
        int letters = 0;
        for (String name : names.toArray(new String[0])) {
            letters += name.length(); //~ exception
        }
        cleaner.join();
        assert letters == 0 || letters == 3;
    }
}
