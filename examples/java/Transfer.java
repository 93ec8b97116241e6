/**
 * Two transfers in opposite directions. Each locks the account it takes from and then the one it
 * gives to; when each has its first lock, both wait for ever.
 */
public class Transfer {
    static class Account {
        int balance = 100;
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account savings = new Account();
        Account current = new Account();
        Thread one = new Thread(() -> transfer(savings, current, 10));
        Thread other = new Thread(() -> transfer(current, savings, 5));
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
