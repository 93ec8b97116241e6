//@ switches 2
/** The flag goes up before what it announces is there. */
public class FlagBeforeData {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        new Thread(() -> {
            if (fixed) {
                data = 42;
                ready = true;
            } else {
                ready = true;
                data = 42;
            }
        }).start();
        while (!ready) {
            Thread.onSpinWait();
        }
        assert data == 42 : "too early"; //~ assertion
    }
}
