//@ class initialisers
//@ verdict bug
import java.util.HashMap;
import java.util.Map;

/** An instance leaves the initialiser before the class is ready; static fields are seen late. */
public class InitialiserSeesInstance {
    static volatile Registry seen;
    static final class Registry {
        static final Registry INSTANCE = new Registry();
        static final Map<String, Integer> entries = new HashMap<>();
        Registry() { seen = this; }
        int count() { return entries.size(); }
    }
    static int counted = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            Registry found = seen;
            if (found != null) counted = found.count();
        });
        other.start();
        assert Registry.INSTANCE != null;
        other.join();
        assert counted == -1; //~ assertion
    }
}
