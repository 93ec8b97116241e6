import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The failure is kept in a list and thrown later. */
public class ThroughList {
    static int x;
    static int unused;

    static void test() {
        if (x != 2) { // shown
            throw new AssertionError("x");
        }
    }

    public static void main(String[] args) throws Throwable {
        Thread other = new Thread(() -> {
            unused++; // hidden
            x++; // shown
        });
        other.start(); // shown
        x++; // shown
        unused++; // hidden
        other.join();
        List<Throwable> kept = Collections.synchronizedList(new ArrayList<>());
        try {
            ThroughList.class.getDeclaredMethod("test").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            kept.add(e.getCause());
        }
        if (Thread.interrupted()) {
            return;
        }
        for (Throwable e : kept) {
            throw e;
        }
    }
}
