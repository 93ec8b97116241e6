import java.util.List;
import java.util.Vector;

/** Uses a vector that another thread empties meanwhile. */
public class VectorCopies {
    public static void main(String[] arguments) throws InterruptedException {
        Vector<String> shared = new Vector<>(List.of("a", "b"));
        Thread other = new Thread(shared::removeAllElements);
        other.start();
        String seen = switch (arguments[0]) {
            case "constructor" -> new Vector<>(shared).toString();
            case "addAll" -> {
                Vector<String> copy = new Vector<>();
                copy.addAll(shared);
                yield copy.toString();
            }
            default -> "" + shared.lastIndexOf("b");
        };
        other.join();
        System.out.println(seen);
    }
}
