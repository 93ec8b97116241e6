//@ class threads
//@ verdict ok
/** `println` asks for the text before it takes the lock of `System.out`. */
public class PrintedWithItsLock {
    static class Account {
        private int balance;

        synchronized void pay(int amount) {
            balance += amount;
            System.out.printf("paid %d%n", amount);
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
        System.out.println(account);
        payer.join();
    }
}
