//@ class hidden
//@ verdict bug
import java.util.HashMap;
import java.util.Map;

/** A map is printed while another thread puts something into it. */
public class PrintedMap {
    static final Map<String, Integer> ages = new HashMap<>(Map.of("ann", 30));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> ages.put("bob", 31));
        other.start();
        System.out.println(ages); //~ exception
        other.join();
    }
}
