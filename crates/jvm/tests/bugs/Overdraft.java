//@ switches 3
/** Looks whether there is enough, and takes it later. */
public class Overdraft {
    private int balance = 10;

    void withdraw(int amount) {
        if (balance >= amount) {
            int rest = balance - amount;
            if (rest < 0) {
                throw new IllegalStateException("overdrawn"); //~ exception
            }
            balance = rest;
        }
    }

    public static void main(String[] args) {
        Overdraft account = new Overdraft();
        boolean fixed = args.length > 0;
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                if (fixed) {
                    synchronized (account) {
                        account.withdraw(8);
                    }
                } else {
                    account.withdraw(8);
                }
            }).start();
        }
    }
}
