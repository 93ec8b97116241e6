// Two deposits at the same time. Reading and writing the balance are two steps, and another
// deposit can come between them: then one of the two is lost.
public class LostUpdate {
    static int balance = 0;

    static void deposit(int amount) {
        int before = balance;
        balance = before + amount;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> deposit(10));
        other.start();
        deposit(5);
        other.join();
        assert balance == 15 : "balance is " + balance;
    }
}
