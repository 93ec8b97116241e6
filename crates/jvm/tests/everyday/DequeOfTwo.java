//@ class natives
//@ verdict bug
import java.util.ArrayDeque;

/** An array deque is not made for two threads. */
public class DequeOfTwo {
    static final ArrayDeque<Integer> jobs = new ArrayDeque<>();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> jobs.addLast(1));
        other.start();
        jobs.addLast(2);
        other.join();
        assert jobs.size() == 2; //~ assertion
    }
}
