//@ class threads
//@ verdict ok
import java.util.ArrayList;
import java.util.List;

/** Locks of any kind, and printing under them: no lock is ever taken while somebody prints. */
public class PrintsWhileOthersDo {
    private static final Object lock = new Object();
    private final Object own;
    private int paid;

    PrintsWhileOthersDo(Object own) {
        this.own = own;
    }

    void pay() {
        synchronized (own) {
            paid++;
            System.out.printf("%d paid %s%n", paid, "in full");
        }
    }

    @Override
    public String toString() {
        return "paid " + paid;
    }

    public static void main(String[] args) throws InterruptedException {
        PrintsWhileOthersDo account = new PrintsWhileOthersDo(lock);
        List<Thread> payers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            payers.add(new Thread(account::pay));
        }
        payers.forEach(Thread::start);
        synchronized (lock) {
            List.of(1, 2).forEach(System.out::println);
        }
        for (Thread payer : payers) {
            payer.join();
        }
        System.out.printf("%s%n", account);
    }
}
