//@ class races
//@ verdict ok
//@ racy
/** A volatile flag is set too early to publish. */
public class StateThenData {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            ready = true;
            data = 1; //~ race
        });
        writer.start();
        int seen = 0;
        if (ready) seen = data; //~ race
        writer.join();
        assert seen <= 1;
    }
}
