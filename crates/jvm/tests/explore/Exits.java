/** Main leaves by System.exit unless the other thread was faster; only then something fails. */
public class Exits {
    static boolean ready;
    static int value;

    public static void main(String[] arguments) {
        new Thread(() -> {
            value = 42;
            ready = true;
        }).start();
        if (!ready) {
            System.exit(0);
        }
        assert value == 0;
    }
}
