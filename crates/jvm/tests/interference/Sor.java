/**
 * Successive over-relaxation of a grid by two threads, each with half of the rows. The barrier between two
 * sweeps is missing, so the rows of a neighbour are met in the middle of a sweep.
 */
public class Sor {
    static final int COLUMNS = 4;
    static final int SWEEPS = 2;
    static final int[][] grid = new int[4][COLUMNS];
    /** In which sweep each column of the upper half's last row was relaxed. */
    static final int[] relaxed = new int[COLUMNS];

    static void relax(int row, int column) {
        int sum = grid[row][column - 1] + grid[row][column + 1];
        grid[row][column] = (sum + 1) / 2;
    }

    static void upper() {
        for (int sweep = 1; sweep <= SWEEPS; sweep++) {
            for (int column = 1; column < COLUMNS - 1; column++) {
                relax(1, column);
                relaxed[column] = sweep;
            }
        }
    }

    /** What has been relaxed belongs to one sweep, column by column from the right. */
    static void lower() {
        for (int column = 1; column < COLUMNS - 1; column++) {
            relax(2, column);
        }
        int right = relaxed[COLUMNS - 2];
        int left = relaxed[1];
        if (right == 1 && left == 2) {
            throw new AssertionError("rows of two sweeps are mixed");
        }
    }

    public static void main(String[] arguments) {
        new Thread(Sor::upper).start();
        new Thread(Sor::lower).start();
    }
}
