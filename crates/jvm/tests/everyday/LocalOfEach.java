//@ class threads
//@ verdict ok
/** Each thread counts in a variable of its own. */
public class LocalOfEach {
    static final ThreadLocal<int[]> COUNT = ThreadLocal.withInitial(() -> new int[1]);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            COUNT.get()[0]++;
            COUNT.get()[0]++;
            assert COUNT.get()[0] == 2;
            COUNT.remove();
            assert COUNT.get()[0] == 0;
        });
        other.start();
        COUNT.get()[0]++;
        assert COUNT.get()[0] == 1;
        other.join();
    }
}
