//@ class threads
//@ verdict ok
/** A hook that was removed does not run, and `halt` runs none. */
public class HookRemoved {
    public static void main(String[] args) {
        Thread hook = new Thread(() -> {
            assert false;
        });
        Runtime.getRuntime().addShutdownHook(hook);
        assert Runtime.getRuntime().removeShutdownHook(hook);
        assert !Runtime.getRuntime().removeShutdownHook(hook);
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().halt(0);
    }
}
