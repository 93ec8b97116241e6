//@ class threads
//@ verdict ok
/** A hook begins when the last thread has ended. */
public class HookSeesTheEnd {
    static int sum;

    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            assert sum == 3;
        }));
        Thread other = new Thread(() -> {
            synchronized (HookSeesTheEnd.class) {
                sum += 1;
            }
        });
        other.start();
        synchronized (HookSeesTheEnd.class) {
            sum += 2;
        }
    }
}
