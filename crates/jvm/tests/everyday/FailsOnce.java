//@ class initialisers
//@ verdict ok
import java.util.concurrent.atomic.AtomicInteger;

/** The first to need a class sees its initialiser fail, the other that there is no such class. */
public class FailsOnce {
    static int zero;
    static final AtomicInteger first = new AtomicInteger(), later = new AtomicInteger();
    static final class Broken {
        static int value = 1 / zero;
    }

    static void use() {
        try {
            System.out.println(Broken.value);
        } catch (ExceptionInInitializerError e) {
            first.incrementAndGet();
        } catch (NoClassDefFoundError e) {
            later.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(FailsOnce::use);
        other.start();
        use();
        other.join();
        assert first.get() == 1 && later.get() == 1;
    }
}
