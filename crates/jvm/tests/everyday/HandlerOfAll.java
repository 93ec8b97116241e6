//@ class threads
//@ verdict bug
/** The default handler runs in the thread that has failed, which is still alive. */
public class HandlerOfAll {
    static volatile Thread failed;

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> failed = thread);
        Thread other = new Thread(() -> {
            throw new IllegalStateException("on purpose");
        });
        other.start();
        Thread seen = failed;
        assert seen == null; //~ assertion
        other.join();
        assert failed == other;
    }
}
