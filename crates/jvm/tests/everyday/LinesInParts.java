//@ class threads
//@ verdict ok
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Threads that print lines in parts with the lock of `System.out`; one fails to format, and frees the lock all the same. */
public class LinesInParts {
    static int lines;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (String name : Arrays.asList("one", "two")) {
            threads.add(new Thread(() -> {
                synchronized (System.out) {
                    System.out.print(name);
                    System.out.print(' ');
                    System.out.println(lines++);
                }
                try {
                    System.out.printf("%d%n", name);
                    assert false : "no number";
                } catch (IllegalArgumentException e) {
                    assert !Thread.holdsLock(System.out);
                }
            }));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        synchronized (System.out) {
            System.out.write(new byte[] {'e', 'n', 'd', '\n'}, 0, 4);
            assert lines == 2;
        }
    }
}
