//@ switches 2
/** Transfers in both directions take the two monitors in opposite orders. */
public class LockOrder {
    static final class Account {
        final int number;
        int balance = 10;

        Account(int number) {
            this.number = number;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) { //~ deadlock
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    static void transferInOrder(Account from, Account to, int amount) {
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
        Account a = new Account(1);
        Account b = new Account(2);
        boolean fixed = args.length > 0;
        Thread back = new Thread(() -> {
            if (fixed) {
                transferInOrder(b, a, 3);
            } else {
                transfer(b, a, 3);
            }
        });
        Thread forth = new Thread(() -> {
            if (fixed) {
                transferInOrder(a, b, 5);
            } else {
                transfer(a, b, 5);
            }
        });
        back.start();
        forth.start();
        back.join(); //~ deadlock
        forth.join();
        assert a.balance + b.balance == 20;
    }
}
