/**
 * Two threads share a room through a flag. Whoever looks at the flag holds the lock until it has left
 * the room.
 */
public class TwoInsideFixed {
    private static boolean busy;
    private static String inside = "";

    private static synchronized void check() {
        if (!busy) {
            busy = true;
            inside = "check";
            if (inside.equals("clean")) {
                throw new AssertionError("two are inside");
            }
            inside = "";
            busy = false;
        }
    }

    private static synchronized void clean() {
        if (!busy) {
            busy = true;
            inside = "clean";
            inside = "";
            busy = false;
        }
    }

    public static void main(String[] args) {
        new Thread(TwoInsideFixed::check, "check").start();
        new Thread(TwoInsideFixed::clean, "clean").start();
    }
}
