import counterpoint.Input;

/** Four pairs of threads over four static fields, as far as the argument asks for them. */
public class PairsOfStatics {
    static int first;
    static int second;
    static int third;
    static int fourth;

    static int positive(int input) {
        return input > 0 ? 1 : 2;
    }

    static void write(int pair, int value) {
        switch (pair) {
            case 0 -> first = value;
            case 1 -> second = value;
            case 2 -> third = value;
            default -> fourth = value;
        }
    }

    public static void main(String[] args) {
        int threads = 2 * Integer.parseInt(args[0]);
        for (int number = 0; number < threads; number++) {
            final int own = number;
            new Thread() {
                int seen;

                @Override
                public void run() {
                    write(own / 2, own);
                    seen = positive(Input.anyInt());
                }
            }.start();
        }
    }
}
