//@ class threads
//@ verdict bug
import java.util.concurrent.atomic.AtomicInteger;

/** The owner of a deque and a thief take the same last element. */
public class LastElementStolen {
    private final Integer[] items = new Integer[4];
    private volatile int top;
    private volatile int bottom;

    void push(int item) {
        items[bottom] = item;
        bottom = bottom + 1;
    }

    Integer pop() {
        int last = bottom - 1;
        bottom = last;
        if (last < top) {
            bottom = top;
            return null;
        }
        return items[last];
    }

    synchronized Integer steal() {
        int first = top;
        if (first >= bottom) {
            return null;
        }
        Integer item = items[first];
        top = first + 1;
        return item;
    }

    public static void main(String[] args) throws InterruptedException {
        LastElementStolen deque = new LastElementStolen();
        AtomicInteger taken = new AtomicInteger();
        deque.push(1);
        Thread thief = new Thread(() -> {
            if (deque.steal() != null) {
                taken.incrementAndGet();
            }
        });
        thief.start();
        if (deque.pop() != null) {
            taken.incrementAndGet();
        }
        thief.join();
        assert taken.get() == 1; //~ assertion
    }
}
