//@ class threads
//@ verdict bug
/** The text for `printf` is made with the lock of `System.out`, and takes the account's by a call of a call. */
public class FormattedByAnotherMethod {
    static class Account {
        private int balance;

        synchronized void pay(int amount) {
            balance += amount;
            System.out.println("paid"); //~ deadlock
        }

        synchronized int balance() {
            return balance;
        }

        String described() {
            return "account with " + balance(); //~ deadlock
        }

        @Override
        public String toString() {
            return described();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account account = new Account();
        Thread payer = new Thread(() -> account.pay(5));
        payer.start();
        System.out.printf("%s%n", account);
        payer.join();
    }
}
