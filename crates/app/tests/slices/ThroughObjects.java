import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The value goes through a map, a box and a lambda, and is what a branch in another method depends on. */
public class ThroughObjects {
    static volatile Integer x = 0;
    static volatile boolean unused;

    static String word(int number) {
        if (number > 0) {
            return "many";
        }
        return "none";
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            unused = true; // hidden
            x = 1; // shown
        });
        other.start(); // shown
        Map<String, Integer> known = new HashMap<>();
        boolean flag = unused; // hidden
        known.put("x", x); // shown
        Supplier<Integer> later = () -> known.get("x");
        String answer = word(later.get());
        System.out.println(flag);
        if (answer.startsWith("m")) {
            throw new IllegalStateException(answer);
        }
        other.join();
    }
}
