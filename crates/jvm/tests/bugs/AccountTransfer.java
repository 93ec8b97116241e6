//@ switches 4
/**
 * A transfer locks the account that it takes from and not the one that it gives to: the row Account of
 * table 1.
 */
public class AccountTransfer {
    static final class Account {
        private int balance;

        Account(int balance) {
            this.balance = balance;
        }

        synchronized void transfer(Account target, int amount) {
            balance -= amount;
            target.balance += amount;
        }

        synchronized void deposit(int amount) {
            balance += amount;
        }

        void transferSafely(Account target, int amount) {
            deposit(-amount);
            target.deposit(amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account one = new Account(10);
        Account two = new Account(0);
        boolean fixed = args.length > 0;
        Thread payer = new Thread(() -> {
            if (fixed) {
                one.transferSafely(two, 4);
            } else {
                one.transfer(two, 4);
            }
        });
        Thread saver = new Thread(() -> two.deposit(1));
        payer.start();
        saver.start();
        payer.join();
        saver.join();
        assert two.balance == 5; //~ assertion
    }
}
