//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** The sum over a list is taken by a stream while another thread adds to it. */
public class StreamedWhileAdding {
    static final List<Integer> numbers = new ArrayList<>(List.of(1, 2));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> numbers.add(3));
        other.start();
        int sum = numbers.stream().mapToInt(Integer::intValue).sum(); //~ exception
        other.join();
        assert sum == 3 || sum == 6;
    }
}
