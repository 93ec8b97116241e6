//@ class threads
//@ verdict bug
/** Shutdown hooks are threads, and run at the same time. */
public class HooksRunTogether {
    static volatile int count;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                int before = count;
                count = before + 1;
                if (before == 0) {
                    return;
                }
                throw new IllegalStateException("second"); //~ exception
            }));
        }
    }
}
