/** The same worker, repaired: the flag goes up when the result is there. */
public class EarlyFlagFixed {
    private static String result;
    private static volatile boolean ready;

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            result = "42";
            ready = true;
        }, "worker");
        worker.start();
        if (ready) {
            System.out.println(result.length());
        }
    }
}
