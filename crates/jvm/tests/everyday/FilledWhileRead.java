//@ class natives
//@ verdict bug
import java.util.Arrays;

/** `Arrays.fill` writes its elements one by one. */
public class FilledWhileRead {
    static int[] cells = new int[3];

    public static void main(String[] args) throws InterruptedException {
        Thread filler = new Thread(() -> Arrays.fill(cells, 7));
        filler.start();
        int last = cells[2];
        int first = cells[0];
        assert last == first; //~ assertion
        filler.join();
    }
}
