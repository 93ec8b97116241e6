//@ class hidden
//@ verdict bug
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The last element is gone when it is asked for. */
public class LastOfTwo {
    static final List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> list.remove(0));
        other.start();
        list.get(list.size() - 1); //~ exception
        other.join();
    }
}
