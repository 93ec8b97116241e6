package shop;

/** A class of the project that its tests use. */
public class Shelf {
    private int pieces;

    public void add() {
        pieces++;
    }

    public synchronized void addSafely() {
        pieces++;
    }

    public int pieces() {
        return pieces;
    }
}
