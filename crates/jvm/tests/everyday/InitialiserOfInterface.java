//@ class initialisers
//@ verdict bug
import java.util.concurrent.atomic.AtomicInteger;

/** An interface with a default method is initialised before a class that implements it. */
public class InitialiserOfInterface {
    static final AtomicInteger NEXT = new AtomicInteger();

    interface Named {
        int ORDER = NEXT.getAndIncrement();

        default String name() {
            return "n" + ORDER;
        }
    }

    static final class One implements Named { }

    static final class Other {
        static final int ORDER = NEXT.getAndIncrement();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> new One());
        other.start();
        int order = Other.ORDER;
        other.join();
        assert order == 0; //~ assertion
    }
}
