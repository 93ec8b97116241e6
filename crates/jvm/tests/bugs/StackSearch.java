//@ switches 2
import java.util.Stack;

/** A row Stack of table 1: a position is found and used when it means something else. */
public class StackSearch {
    public static void main(String[] args) throws InterruptedException {
        Stack<String> plates = new Stack<>();
        plates.push("blue");
        plates.push("red");
        boolean fixed = args.length > 0;
        Thread other = new Thread(() -> plates.push("green"));
        other.start();
        String seen;
        if (fixed) {
            synchronized (plates) {
                seen = plates.get(plates.size() - plates.search("red"));
            }
        } else {
            int distance = plates.search("red");
            seen = plates.get(plates.size() - distance);
        }
        assert seen.equals("red") : seen; //~ assertion
    }
}
