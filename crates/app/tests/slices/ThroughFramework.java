/** A framework keeps what a test has thrown, looks at matters of its own, and throws it again. */
public class ThroughFramework {
    static int sum;
    static int reports;

    public static void main(String[] args) throws Throwable {
        Throwable failure = null;
        try {
            test();
        } catch (Throwable thrown) {
            failure = thrown;
        }
        reports++; // hidden
        if (failure != null && reports > 0) { // hidden
            throw failure;
        }
    }

    static void test() {
        Thread other = new Thread(() -> {
            reports++; // hidden
            sum++; // shown
        });
        other.start();
        if (sum > 0) { // shown
            throw new IllegalStateException("too early"); // shown
        }
    }
}
