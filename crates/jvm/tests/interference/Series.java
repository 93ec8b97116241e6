/**
 * Two threads compute the Fourier coefficients of a function, each a part of them. The barrier before the
 * validation is missing, so a coefficient is seen before it was scaled.
 */
public class Series {
    static final int COUNT = 4;
    static final int[] coefficients = new int[COUNT];

    /** The integral of a step function times a wave with so many periods, in whole numbers. */
    static int integral(int periods) {
        int sum = 0;
        for (int x = 0; x < 16; x++) {
            int wave = (x * periods) % 4 < 2 ? 1 : -1;
            sum += (x + 1) * wave;
        }
        return sum;
    }

    static void compute(int from, int to) {
        for (int index = from; index < to; index++) {
            coefficients[index] = integral(index);
            coefficients[index] = coefficients[index] * 2;
        }
    }

    /** Coefficients that have been computed are right. */
    static void validate(int from, int to) {
        for (int index = from; index < to; index++) {
            int found = coefficients[index];
            if (found != 0 && found != 2 * integral(index)) {
                throw new AssertionError("a coefficient is wrong");
            }
        }
    }

    public static void main(String[] arguments) {
        new Thread(() -> {
            compute(0, COUNT / 2);
            validate(COUNT / 2, COUNT);
        }).start();
        new Thread(() -> compute(COUNT / 2, COUNT)).start();
    }
}
