//@ switches 3
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Two threads add to a list that is not made for it. */
public class ArrayListAdd {
    public static void main(String[] args) throws InterruptedException {
        List<String> plain = new ArrayList<>();
        List<String> list = args.length > 0 ? Collections.synchronizedList(plain) : plain;
        Thread other = new Thread(() -> list.add("b")); //~ exception
        other.start();
        list.add("a"); //~ exception
        other.join();
        assert list.size() == 2 && !list.contains(null) : list; //~ assertion
    }
}
