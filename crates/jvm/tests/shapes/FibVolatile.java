/** The same with volatile statics, and one runnable for both sides. */
public class FibVolatile implements Runnable {
    static volatile int i = 1;
    static volatile int j = 1;

    private final boolean left;
    private final int rounds;

    FibVolatile(boolean left, int rounds) {
        this.left = left;
        this.rounds = rounds;
    }

    @Override
    public void run() {
        for (int round = 0; round < rounds; round++) {
            if (left) {
                i = i + j;
            } else {
                j = j + i;
            }
        }
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        new Thread(new FibVolatile(true, rounds)).start();
        new Thread(new FibVolatile(false, rounds)).start();
        int larger = Math.max(i, j);
    }
}
