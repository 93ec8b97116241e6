//@ switches 0
/** The row Series of table 1, with synchronisation taken away: a part is used before it is computed. */
public class MissingJoin {
    public static void main(String[] args) throws InterruptedException {
        double[] parts = new double[2];
        Thread helper = new Thread(() -> {
            for (int term = 1; term <= 2; term++) {
                parts[1] += 1.0 / (term * term);
            }
        });
        helper.start();
        parts[0] = 1;
        if (args.length > 0) {
            helper.join();
        }
        assert parts[0] + parts[1] == 2.25 : "a part is missing"; //~ assertion
    }
}
