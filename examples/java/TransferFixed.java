/** The same transfers, repaired: every thread takes the locks in the order of the numbers. */
public class TransferFixed {
    static class Account {
        final int number;
        int balance = 100;

        Account(int number) {
            this.number = number;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account savings = new Account(1);
        Account current = new Account(2);
        Thread one = new Thread(() -> transfer(savings, current, 10));
        Thread other = new Thread(() -> transfer(current, savings, 5));
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
