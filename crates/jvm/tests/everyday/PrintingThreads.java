//@ class hidden
//@ verdict ok
import java.util.List;

/** Threads that only print and format what is their own. */
public class PrintingThreads {
    static void report(int number) { System.out.println(String.format("%03d %s", number, List.of(number))); }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> report(1));
        other.start();
        report(2);
        other.join();
    }
}
