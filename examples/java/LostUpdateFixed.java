// As LostUpdate, with the two steps of a deposit under one lock.
public class LostUpdateFixed {
    static int balance = 0;

    static synchronized void deposit(int amount) {
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
