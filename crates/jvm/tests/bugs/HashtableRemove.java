//@ switches 2
import java.util.Hashtable;

/** What was there a moment ago is gone. */
public class HashtableRemove {
    public static void main(String[] args) {
        Hashtable<String, Integer> stock = new Hashtable<>();
        stock.put("bolt", 7);
        boolean fixed = args.length > 0;
        new Thread(() -> stock.remove("bolt")).start();
        if (fixed) {
            Integer left = stock.get("bolt");
            int seen = left == null ? 0 : left;
        } else if (stock.containsKey("bolt")) {
            int seen = stock.get("bolt"); //~ exception
        }
    }
}
