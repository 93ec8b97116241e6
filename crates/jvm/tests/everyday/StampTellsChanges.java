//@ class hidden
//@ verdict bug
import java.util.concurrent.atomic.AtomicStampedReference;

/** A value that has come back has another stamp. */
public class StampTellsChanges {
    static final AtomicStampedReference<String> value = new AtomicStampedReference<>("a", 0);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            value.compareAndSet("a", "b", 0, 1);
            value.compareAndSet("b", "a", 1, 2);
        });
        other.start();
        boolean changed = value.compareAndSet("a", "c", 0, 1);
        other.join();
        assert changed; //~ assertion
    }
}
