//@ class races
//@ verdict ok
//@ racy
// The reference is handed on by a race. But whoever reads the field has taken the lock after the maker
// gave it back, and the maker had filled the box by then.
public class FilledBeforeTheLock {
    static class Box {
        int x;
    }

    static final Object lock = new Object();
    static boolean filled;
    static Box box;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            Box made = new Box();
            made.x = 5;
            synchronized (lock) {
                filled = true;
            }
            box = made; //~ race
        });
        maker.start();
        boolean ready;
        synchronized (lock) {
            ready = filled;
        }
        Box found = ready ? box : null; //~ race
        if (found != null) {
            assert found.x == 5;
        }
        maker.join();
    }
}
