//@ class natives
//@ verdict bug
import java.util.HashMap;

/** A clone of a map is made entry by entry. */
public class ClonedGraph {
    public static void main(String[] args) throws InterruptedException {
        HashMap<String, Integer> map = new HashMap<>();
        map.put("a", 1);
        map.put("b", 1);
        Thread other = new Thread(() -> {
            map.replace("a", 2);
            map.replace("b", 2);
        });
        other.start();
        @SuppressWarnings("unchecked")
        HashMap<String, Integer> copy = (HashMap<String, Integer>) map.clone();
        other.join();
        assert copy.get("a") >= copy.get("b"); //~ assertion
    }
}
