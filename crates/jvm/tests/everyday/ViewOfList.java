//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An unmodifiable view is not a copy. */
public class ViewOfList {
    static final List<String> names = new ArrayList<>(List.of("a"));

    public static void main(String[] args) throws InterruptedException {
        List<String> view = Collections.unmodifiableList(names);
        Thread other = new Thread(() -> names.add("b"));
        other.start();
        int before = view.size();
        int after = view.size();
        assert before == after; //~ assertion
        other.join();
    }
}
