/** What fails lies in the first steps, and what comes after them has more schedules than anybody can try. */
public class Early {
    static volatile boolean begun;
    static volatile int count;

    static void work() {
        for (int round = 0; round < 30; round++) {
            count++;
        }
    }

    public static void main(String[] arguments) {
        new Thread(() -> {
            boolean late = begun;
            work();
            if (late) {
                throw new IllegalStateException("the other one was first");
            }
        }).start();
        new Thread(() -> {
            begun = true;
            work();
        }).start();
    }
}
