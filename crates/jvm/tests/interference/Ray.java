/** Two threads trace rays, each half of the rows. The checksum of all pixels is not protected. */
public class Ray {
    static final int ROWS = 4;
    static int checksum;
    static int finished;

    static int trace(int row, int column) {
        int distance = (row - 2) * (row - 2) + (column - 2) * (column - 2);
        return distance < 4 ? 4 - distance : 0;
    }

    static int sum(int from, int to) {
        int sum = 0;
        for (int row = from; row < to; row++) {
            for (int column = 0; column < ROWS; column++) {
                sum += trace(row, column);
            }
        }
        return sum;
    }

    static void render(int from, int to) {
        checksum += sum(from, to);
        synchronized (Ray.class) {
            finished++;
            if (finished == 2 && checksum != sum(0, ROWS)) {
                throw new AssertionError("the checksum is wrong");
            }
        }
    }

    public static void main(String[] arguments) {
        new Thread(() -> render(0, ROWS / 2)).start();
        new Thread(() -> render(ROWS / 2, ROWS)).start();
    }
}
