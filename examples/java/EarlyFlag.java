/**
 * A worker hands over a result and raises a flag. The flag goes up first: whoever sees it may look
 * at the result before it is there.
 */
public class EarlyFlag {
    private static String result;
    private static volatile boolean ready;

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            ready = true;
            result = "42";
        }, "worker");
        worker.start();
        if (ready) {
            System.out.println(result.length());
        }
    }
}
