//@ class races
//@ verdict ok
/** Two threads write different elements of an array. */
public class ElementsApart {
    static final int[] cells = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> cells[0]++);
        other.start();
        cells[1]++;
        other.join();
        assert cells[0] + cells[1] == 2;
    }
}
