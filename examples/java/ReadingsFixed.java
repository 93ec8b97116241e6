/** A sensor writes four readings, and a display shows their mean, which fits into a byte. */
public class ReadingsFixed {
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
            int mean = (north + east + south + west) / 4;
            if (mean > 255) {
                throw new IllegalStateException("the mean does not fit into a byte");
            }
        }, "display").start();
    }
}
