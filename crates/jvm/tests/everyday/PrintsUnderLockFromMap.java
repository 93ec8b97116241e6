//@ class threads
//@ verdict bug
import java.util.HashMap;
import java.util.Map;

/** The lock comes out of a map, in which somebody put `System.out`. */
public class PrintsUnderLockFromMap {
    public static void main(String[] args) throws InterruptedException {
        Map<String, Object> locks = new HashMap<>();
        locks.put("screen", System.out);
        locks.put("account", new Object());
        Thread reporter = new Thread(() -> {
            synchronized (locks.get("screen")) {
                synchronized (locks.get("account")) { //~ deadlock
                    locks.size();
                }
            }
        });
        reporter.start();
        synchronized (locks.get("account")) {
            System.out.println("paid"); //~ deadlock
        }
        reporter.join();
    }
}
