//@ class loops
//@ verdict ok
import java.util.concurrent.atomic.AtomicReference;

/** Treiber's stack. */
public class StackByCompareAndSet {
    record Node(int value, Node below) {}
    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> push(1));
        other.start();
        push(2);
        other.join();
        Node node = top.get();
        assert node.value() + node.below().value() == 3 && node.below().below() == null;
    }
}
