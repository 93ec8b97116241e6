/**
 * Szymanski's mutual exclusion for two threads. No thread waits for ever: what the loops of a thread
 * have gone round in total is limited, by one number at the doors and by another one inside.
 */
public class Szymanski {
    private static int flagOfFirst;
    private static int flagOfSecond;
    private static int inside;

    private static final class First extends Thread {
        private final int atDoors;
        private final int within;
        private int rounds;

        First(int atDoors, int within) {
            this.atDoors = atDoors;
            this.within = within;
        }

        private boolean again(int limit) {
            if (rounds >= limit) {
                return false;
            }
            rounds++;
            return true;
        }

        @Override
        public void run() {
            flagOfFirst = 1;
            while (flagOfSecond >= 3 && again(atDoors)) {
            }
            flagOfFirst = 3;
            if (flagOfSecond == 1) {
                flagOfFirst = 2;
                while (flagOfSecond != 4 && again(within)) {
                }
            }
            flagOfFirst = 4;
            while (flagOfSecond >= 2 && again(within)) {
            }
            inside = 0;
            int seen = inside;
            while (flagOfSecond >= 2 && flagOfSecond <= 3 && again(atDoors)) {
            }
            flagOfFirst = 0;
        }
    }

    public static void main(String[] args) {
        int atDoors = Integer.parseInt(args[0]);
        int within = Integer.parseInt(args[1]);
        new First(atDoors, within).start();
        new Thread(() -> second(atDoors, within)).start();
    }

    private static void second(int atDoors, int within) {
        int rounds = 0;
        flagOfSecond = 1;
        while (flagOfFirst >= 3 && rounds < atDoors) {
            rounds++;
        }
        flagOfSecond = 3;
        if (flagOfFirst == 1) {
            flagOfSecond = 2;
            while (flagOfFirst != 4 && rounds < within) {
                rounds++;
            }
        }
        flagOfSecond = 4;
        while (flagOfFirst >= 2 && rounds < within) {
            rounds++;
        }
        inside = 1;
        int seen = inside;
        while (flagOfFirst >= 2 && flagOfFirst <= 3 && rounds < atDoors) {
            rounds++;
        }
        flagOfSecond = 0;
    }
}
