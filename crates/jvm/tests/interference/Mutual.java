/** Two threads enter a critical section because a flag is tested too early. */
public class Mutual {
    static boolean busy;
    static int owner;

    static void first() {
        if (!busy) {
            busy = true;
            owner = 1;
            if (owner == 2) {
                throw new AssertionError("two threads in the critical section");
            }
            owner = 0;
            busy = false;
        }
    }

    static void second() {
        if (!busy) {
            busy = true;
            owner = 2;
            owner = 0;
            busy = false;
        }
    }

    public static void main(String[] arguments) {
        new Thread(Mutual::first, "first").start();
        new Thread(Mutual::second, "second").start();
    }
}
