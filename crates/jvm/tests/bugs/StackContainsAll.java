//@ switches 2
import java.util.List;
import java.util.Stack;

/** A row Stack of table 1: as for a vector, whose methods it has. */
public class StackContainsAll {
    public static void main(String[] args) {
        Stack<String> all = new Stack<>();
        all.addAll(List.of("x", "y"));
        Stack<String> some = new Stack<>();
        some.addAll(List.of("x", "y"));
        new Thread(some::pop).start();
        if (args.length > 0) {
            synchronized (some) {
                all.containsAll(some);
            }
        } else {
            all.containsAll(some); //~ exception
        }
    }
}
