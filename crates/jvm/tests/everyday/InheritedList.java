//@ class threads
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** What a thread inherits it shares. */
public class InheritedList {
    static final InheritableThreadLocal<List<Integer>> LOCAL = new InheritableThreadLocal<>();

    public static void main(String[] args) throws InterruptedException {
        LOCAL.set(new ArrayList<>());
        Thread other = new Thread(() -> LOCAL.get().add(1)); //~ exception
        other.start();
        LOCAL.get().add(2); //~ exception
        other.join();
        assert LOCAL.get().size() == 2; //~ assertion
    }
}
