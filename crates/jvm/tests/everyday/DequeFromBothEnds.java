//@ class hidden
//@ verdict bug
import java.util.concurrent.LinkedBlockingDeque;

/** The only element of a deque goes to one of two. */
public class DequeFromBothEnds {
    public static void main(String[] args) throws InterruptedException {
        LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>();
        deque.putFirst(1);
        deque.putLast(2);
        Integer[] got = new Integer[2];
        Thread other = new Thread(() -> {
            got[0] = deque.pollFirst();
            got[1] = deque.pollFirst();
        });
        other.start();
        int last = deque.takeLast(); //~ deadlock
        other.join();
        assert last == 2;
    }
}
