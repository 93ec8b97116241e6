/** The same account, repaired: a lock makes reading, adding and writing one step. */
public class LostUpdateFixed {
    static int balance = 0;

    static synchronized void deposit(int amount) {
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
