//@ class loops
//@ verdict bug
import java.util.concurrent.atomic.AtomicReference;

/** A stack that swaps without looking whether its top has changed. */
public class StackThatLoses {
    record Node(int value, Node below) {}
    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) { top.set(new Node(value, top.get())); }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> push(1));
        other.start();
        push(2);
        other.join();
        assert top.get().below() != null; //~ assertion
    }
}
