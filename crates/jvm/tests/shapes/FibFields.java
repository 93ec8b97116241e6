/** Two numbers of an object, added to each other by anonymous threads. */
public class FibFields {
    private int i = 1;
    private int j = 1;

    void compute(final int rounds) {
        Thread first = new Thread() {
            @Override
            public void run() {
                for (int round = 0; round < rounds; round++) {
                    i += j;
                }
            }
        };
        Thread second = new Thread() {
            @Override
            public void run() {
                for (int round = 0; round < rounds; round++) {
                    j += i;
                }
            }
        };
        first.start();
        second.start();
        if (i + j < 0) {
            throw new AssertionError("the sum of two positive numbers");
        }
    }

    public static void main(String[] args) {
        new FibFields().compute(Integer.parseInt(args[0]));
    }
}
