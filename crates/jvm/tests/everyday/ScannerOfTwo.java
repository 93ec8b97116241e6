//@ class hidden
//@ verdict bug
import java.util.Scanner;

/** A scanner is not made for two threads. */
public class ScannerOfTwo {
    public static void main(String[] args) throws InterruptedException {
        Scanner scanner = new Scanner("1 2");
        int[] got = new int[1];
        Thread other = new Thread(() -> {
            try {
                got[0] = scanner.nextInt();
            } catch (RuntimeException e) {
                got[0] = -1;
            }
        });
        other.start();
        int mine = 0;
        try {
            mine = scanner.nextInt();
        } catch (RuntimeException e) {
            mine = -1;
        }
        other.join();
        assert mine + got[0] == 3; //~ assertion
    }
}
