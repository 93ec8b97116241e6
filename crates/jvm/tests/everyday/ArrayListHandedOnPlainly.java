//@ class races
//@ verdict ok
//@ racy
// A list that is filled first and stored then is not yet a list that may be read.
import java.util.ArrayList;
import java.util.List;

public class ArrayListHandedOnPlainly {
    static List<String> names;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            List<String> made = new ArrayList<>();
            made.add("one");
            names = made; //~ race
        });
        maker.start();
        List<String> found = names; //~ race
        if (found != null) {
            assert found.size() == 1; //~ race
            assert found.get(0).equals("one"); //~ race
        }
        maker.join();
    }
}
