//@ class memory
//@ verdict ok
//@ racy
/** Elements of an array are not volatile though its variable is. */
public class VolatileArrayReference {
    static volatile int[] cells = new int[1];

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> cells[0] = 1); //~ race
        other.start();
        int seen = cells[0]; //~ race
        other.join();
        assert seen == 0 || seen == 1;
    }
}
