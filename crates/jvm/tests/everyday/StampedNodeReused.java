//@ class threads
//@ verdict ok
import java.util.concurrent.atomic.AtomicStampedReference;

/** A stamp that goes up with each change tells that a node was popped and pushed again. */
public class StampedNodeReused {
    static class Node {
        volatile Node next;
    }

    static final AtomicStampedReference<Node> top = new AtomicStampedReference<>(null, 0);

    static void push(Node node) {
        int[] stamp = new int[1];
        Node old;
        do {
            old = top.get(stamp);
            node.next = old;
        } while (!top.compareAndSet(old, node, stamp[0], stamp[0] + 1));
    }

    static Node pop() {
        int[] stamp = new int[1];
        Node old;
        Node next;
        do {
            old = top.get(stamp);
            if (old == null) {
                return null;
            }
            next = old.next;
        } while (!top.compareAndSet(old, next, stamp[0], stamp[0] + 1));
        return old;
    }

    public static void main(String[] args) throws InterruptedException {
        Node reused = new Node();
        push(new Node());
        push(new Node());
        push(reused);
        Thread other = new Thread(StampedNodeReused::pop);
        other.start();
        Node first = pop();
        Node second = pop();
        if (first == reused) {
            push(first);
        }
        other.join();
        for (Node node = top.getReference(); node != null; node = node.next) {
            assert node != second;
        }
    }
}
