//@ class threads
//@ verdict bug
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Settings are replaced as a whole, but whoever looks twice may get one half of each. */
public class TwoLooksAtSettings {
    static final AtomicReference<Map<String, String>> settings =
            new AtomicReference<>(Map.of("host", "a", "port", "1"));

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> settings.set(Map.of("host", "b", "port", "2")));
        other.start();
        String address = settings.get().get("host") + settings.get().get("port");
        other.join();
        assert address.equals("a1") || address.equals("b2"); //~ assertion
    }
}
