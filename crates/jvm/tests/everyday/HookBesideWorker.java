//@ class threads
//@ verdict bug
/** After `System.exit` the other threads go on beside the hooks. */
public class HookBesideWorker {
    static volatile int steps;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            int first = steps;
            int second = steps;
            assert first == second; //~ assertion
        }));
        new Thread(() -> steps = 1).start();
        System.exit(0);
    }
}
