/**
 * A sensor writes four readings, and a display adds them up. The sum was meant to fit into a byte: with
 * three readings it does, with all four it does not.
 */
public class Readings {
    private static int north;
    private static int east;
    private static int south;
    private static int west;

    public static void main(String[] args) {
        new Thread(() -> {
            north = 64;
            east = 64;
            south = 64;
            west = 64;
        }, "sensor").start();
        new Thread(() -> {
            int sum = north + east + south + west;
            if (sum > 255) {
                throw new IllegalStateException("the sum does not fit into a byte");
            }
        }, "display").start();
    }
}
