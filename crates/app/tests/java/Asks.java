import java.util.function.LongSupplier;

/** Asks for what it is told to. */
public class Asks {
    static final Object lock = new Object();
    static boolean ready;

    public static void main(String[] arguments) throws Exception {
        for (String word : arguments) {
            ask(word);
        }
    }

    static void ask(String word) throws Exception {
        switch (word) {
            case "clock":
                System.nanoTime();
                break;
            case "reference":
                LongSupplier time = System::currentTimeMillis;
                time.getAsLong();
                break;
            case "random":
                new java.util.Random().nextInt();
                break;
            case "seed":
                new java.util.Random(7).nextInt();
                break;
            case "hash":
                System.identityHashCode(lock);
                break;
            case "processors":
                Runtime.getRuntime().availableProcessors();
                break;
            case "input":
                System.in.available();
                break;
            case "environment":
                System.getenv("HOME");
                break;
            case "file":
                new java.io.File("nowhere").exists();
                break;
            case "wait":
                handOver();
                break;
            default:
                break;
        }
    }

    static void handOver() throws InterruptedException {
        Thread setter = new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notify();
            }
        });
        setter.start();
        synchronized (lock) {
            while (!ready) {
                lock.wait();
            }
        }
    }
}
