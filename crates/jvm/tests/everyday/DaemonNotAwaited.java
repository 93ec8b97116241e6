//@ class threads
//@ verdict bug

/** A daemon saves what there is, unless the program ends before. */
public class DaemonNotAwaited {
    static volatile boolean saved;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!saved) {
                throw new IllegalStateException("not saved"); //~ exception
            }
        }));
        Thread saver = new Thread(() -> saved = true);
        saver.setDaemon(true);
        saver.start();
    }
}
