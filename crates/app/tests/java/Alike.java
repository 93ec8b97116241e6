/** Two like threads, of which either may sleep for ever, and all of whose cells are raced for. */
public class Alike {
    static final int[] CELLS = new int[2];
    static int tokens = 1;

    static synchronized void take() throws InterruptedException {
        while (tokens == 0) {
            Alike.class.wait();
        }
        tokens--;
    }

    static void run() {
        for (int cell = 0; cell < CELLS.length; cell++) {
            CELLS[cell] = 1;
        }
        try {
            take();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    public static void main(String[] args) {
        new Thread(Alike::run, "alice").start();
        new Thread(Alike::run, "bob").start();
    }
}
