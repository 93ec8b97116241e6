//@ class races
//@ verdict ok
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Elements of an atomic array are volatile. */
public class AtomicArrayPublishes {
    static int data;

    public static void main(String[] args) throws InterruptedException {
        AtomicIntegerArray cells = new AtomicIntegerArray(2);
        Thread other = new Thread(() -> {
            data = 5;
            cells.set(1, 1);
        });
        other.start();
        if (cells.get(1) == 1) {
            assert data == 5;
        }
        other.join();
        assert cells.compareAndSet(1, 1, 3) && cells.getAndAdd(1, 4) == 3 && cells.get(1) == 7;
    }
}
