/** A transfer locks the paying account but not the paid one. */
public class Account {
    int balance;

    Account(int balance) {
        this.balance = balance;
    }

    synchronized void transfer(Account to, int amount) {
        balance -= amount;
        int before = to.balance;
        to.balance = before + amount;
        if (to.balance != before + amount) {
            throw new AssertionError("money was lost");
        }
    }

    public static void main(String[] arguments) {
        Account one = new Account(100);
        Account other = new Account(100);
        new Thread(() -> one.transfer(other, 10)).start();
        new Thread(() -> other.transfer(one, 20)).start();
    }
}
