//@ class hidden
//@ verdict bug
/** Each thread gets a number from a plain counter when it first asks for it. */
public class NumbersForThreads {
    static int next;
    static final ThreadLocal<Integer> number = ThreadLocal.withInitial(() -> next++);
    static int others;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> others = number.get());
        other.start();
        int own = number.get();
        other.join();
        assert own != others; //~ assertion
    }
}
