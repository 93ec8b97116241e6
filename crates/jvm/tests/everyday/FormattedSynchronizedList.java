//@ class threads
//@ verdict bug
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A synchronized list makes its text under its lock, which another thread has while it prints. */
public class FormattedSynchronizedList {
    public static void main(String[] args) throws InterruptedException {
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        Thread adder = new Thread(() -> {
            synchronized (names) {
                names.add("Ada");
                System.out.println("added"); //~ deadlock
            }
        });
        adder.start();
        System.out.printf("%s%n", names); //~ deadlock
        adder.join();
    }
}
