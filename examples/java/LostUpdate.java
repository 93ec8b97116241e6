/**
 * Two threads deposit into one account. {@code balance += amount} reads, adds and writes: when both
 * threads read before either writes, one deposit is lost.
 */
public class LostUpdate {
    static int balance = 0;

    static void deposit(int amount) {
        balance += amount;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(() -> deposit(10));
        Thread second = new Thread(() -> deposit(20));
        first.start();
        second.start();
        first.join();
        second.join();
        if (balance != 30) {
            throw new AssertionError("balance is " + balance);
        }
    }
}
