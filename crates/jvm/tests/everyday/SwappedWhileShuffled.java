//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** `Collections.swap` is two writes, and somebody looks between them. */
public class SwappedWhileShuffled {
    public static void main(String[] args) throws InterruptedException {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        Thread swapper = new Thread(() -> Collections.swap(list, 0, 1));
        swapper.start();
        int sum = list.get(0) + list.get(1);
        swapper.join();
        assert sum == 3; //~ assertion
    }
}
