//@ class threads
//@ verdict bug
import java.util.concurrent.locks.LockSupport;

/** A thread decides to park before it is told not to. */
public class ParksTooLate {
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            if (!ready) LockSupport.park(); //~ deadlock
        });
        other.start();
        ready = true;
        other.join(); //~ deadlock
    }
}
