//@ class races
//@ verdict ok
//@ racy
/** Two threads write the same element. */
public class ElementsTogether {
    static final int[] cells = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> cells[0] = 1); //~ race
        other.start();
        cells[0] = 1; //~ race
        other.join();
        assert cells[0] == 1;
    }
}
