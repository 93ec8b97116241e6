/**
 * Two threads share a room through a flag. Each looks at the flag and sets it in two steps, so both may
 * find the room free and be inside together.
 */
public class TwoInside {
    private static boolean busy;
    private static String inside = "";

    private static void check() {
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

    private static void clean() {
        if (!busy) {
            busy = true;
            inside = "clean";
            inside = "";
            busy = false;
        }
    }

    public static void main(String[] args) {
        new Thread(TwoInside::check, "check").start();
        new Thread(TwoInside::clean, "clean").start();
    }
}
