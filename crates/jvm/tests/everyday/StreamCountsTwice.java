//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A stream over a list that another thread changes. */
public class StreamCountsTwice {
    public static void main(String[] args) throws InterruptedException {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        Thread other = new Thread(() -> list.remove(0));
        other.start();
        try {
            String text = list.stream().map(String::valueOf).collect(Collectors.joining("+"));
            assert text.equals("1+2") || text.equals("2"); //~ assertion
        } catch (java.util.ConcurrentModificationException | NullPointerException e) {
            // Possible, too.
        }
        other.join();
    }
}
