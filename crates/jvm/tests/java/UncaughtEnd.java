/** Exceptions that nobody catches, in the main thread and in others, with and without handlers. */
public class UncaughtEnd {
    static void fail(int n) { if (n == 0) throw new IllegalStateException("deep", new RuntimeException("cause")); fail(n - 1); }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> fail(2), "worker");
        t.start();
        t.join();
        System.out.println(t.isAlive());
        Thread handled = new Thread(() -> { throw new UnsupportedOperationException("handled"); });
        handled.setUncaughtExceptionHandler((thread, e) -> System.out.println(thread.getName() + " died of " + e.getMessage()));
        handled.start();
        handled.join();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> { System.out.println("default " + e.getMessage()); throw new RuntimeException("ignored"); });
        Thread other = new Thread(() -> { int[] x = new int[1]; x[1] = 2; });
        other.start();
        other.join();
        Thread.setDefaultUncaughtExceptionHandler(null);
        new Thread(() -> System.out.println("still runs")).start();
        throw new Exception("the end");
    }
}
