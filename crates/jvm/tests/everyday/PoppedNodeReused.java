//@ class threads
//@ verdict bug
import java.util.concurrent.atomic.AtomicReference;

/** A node that was popped and pushed again looks as if nothing had happened (ABA). */
public class PoppedNodeReused {
    static class Node {
        volatile Node next;
    }

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(Node node) {
        Node old;
        do {
            old = top.get();
            node.next = old;
        } while (!top.compareAndSet(old, node));
    }

    static Node pop() {
        Node old;
        Node next;
        do {
            old = top.get();
            if (old == null) {
                return null;
            }
            next = old.next;
        } while (!top.compareAndSet(old, next));
        return old;
    }

    public static void main(String[] args) throws InterruptedException {
        Node reused = new Node();
        push(new Node());
        push(new Node());
        push(reused);
        Thread other = new Thread(PoppedNodeReused::pop);
        other.start();
        Node first = pop();
        Node second = pop();
        if (first == reused) {
            push(first);
        }
        other.join();
        for (Node node = top.get(); node != null; node = node.next) {
            assert node != second; //~ assertion
        }
    }
}
