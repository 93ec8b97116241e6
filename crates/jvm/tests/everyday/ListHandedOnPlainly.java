//@ class races
//@ verdict ok
//@ racy
// The elements were written before anybody else could see the array, and nothing says so to the reader.
public class ListHandedOnPlainly {
    static int[][] rows;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            int[][] made = {{1, 2}, {3, 4}};
            rows = made; //~ race
        });
        maker.start();
        int[][] found = rows; //~ race
        if (found != null) {
            int[] second = found[1]; //~ race
            assert second[0] == 3; //~ race
        }
        maker.join();
    }
}
