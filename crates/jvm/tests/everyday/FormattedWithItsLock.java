//@ class threads
//@ verdict bug
/** `printf` makes the text with the lock of `System.out`, which another thread needs while it has the account's. */
public class FormattedWithItsLock {
    static class Account {
        private int balance;

        synchronized void pay(int amount) {
            balance += amount;
            System.out.println("paid"); //~ deadlock
        }

        @Override
        public synchronized String toString() {
            return "account with " + balance;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account account = new Account();
        Thread payer = new Thread(() -> account.pay(5));
        payer.start();
        System.out.printf("%s%n", account); //~ deadlock
        payer.join();
    }
}
