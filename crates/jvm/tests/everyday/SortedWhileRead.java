//@ class natives
//@ verdict bug
import java.util.Arrays;

/** An array is sorted while another thread looks for its largest element. */
public class SortedWhileRead {
    static final int[] numbers = {2, 1};

    public static void main(String[] args) throws InterruptedException {
        Thread sorter = new Thread(() -> Arrays.sort(numbers));
        sorter.start();
        int second = numbers[1];
        int largest = Math.max(second, numbers[0]);
        sorter.join();
        assert largest == 2; //~ assertion
    }
}
