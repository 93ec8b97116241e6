//@ class threads
//@ verdict bug
import java.util.concurrent.Semaphore;

/** A permit that is freed without being taken lets two in. */
public class PermitsFreedTwice {
    static volatile int inside;

    public static void main(String[] args) throws InterruptedException {
        Semaphore semaphore = new Semaphore(1);
        Runnable work = () -> {
            boolean taken = semaphore.tryAcquire();
            try {
                if (taken) {
                    int before = inside;
                    inside = before + 1;
                    assert inside == 1; //~ assertion
                    inside = 0;
                }
            } finally {
                semaphore.release();
            }
        };
        Thread one = new Thread(work);
        Thread two = new Thread(work);
        one.start();
        two.start();
        work.run();
    }
}
