/** The other way round: four reads of what another thread wrote, and no preemptive switch. */
public class Copy {
    static int a;
    static int b;
    static int c;
    static int d;

    public static void main(String[] arguments) {
        new Thread(() -> {
            a = 1;
            b = 1;
            c = 1;
            d = 1;
        }).start();
        new Thread(() -> {
            if (a + b + c + d == 4) {
                throw new AssertionError("everything was copied");
            }
        }).start();
    }
}
