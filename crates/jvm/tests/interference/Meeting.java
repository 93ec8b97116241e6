/** Two copies of a sequential scheduler run side by side on one calendar. */
public class Meeting {
    static final boolean[] taken = new boolean[2];
    static final int[] owner = new int[2];

    static void schedule(int who) {
        for (int slot = 0; slot < taken.length; slot++) {
            if (!taken[slot]) {
                taken[slot] = true;
                owner[slot] = who;
                if (owner[slot] != who) {
                    throw new AssertionError("two meetings in one slot");
                }
                return;
            }
        }
    }

    public static void main(String[] arguments) {
        new Thread(() -> schedule(1)).start();
        new Thread(() -> schedule(2)).start();
    }
}
