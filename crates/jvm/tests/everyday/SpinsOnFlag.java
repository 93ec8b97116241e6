//@ class loops
//@ verdict ok
/** A thread spins on a volatile flag. */
public class SpinsOnFlag {
    static volatile boolean ready;
    static int data;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 42;
            ready = true;
        });
        writer.start();
        while (!ready) Thread.onSpinWait();
        assert data == 42;
        writer.join();
    }
}
