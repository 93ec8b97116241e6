//@ class natives
//@ verdict ok
/** A window of the last three numbers is shifted under a lock. */
public class ShiftUnderLock {
    static final int[] window = {1, 2, 3};

    static void add(int number) {
        synchronized (window) {
            System.arraycopy(window, 1, window, 0, 2);
            window[2] = number;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(4));
        other.start();
        add(5);
        other.join();
        assert window[0] == 3 && window[1] + window[2] == 9;
    }
}
