// Two transfers in opposite directions. Each locks its own account first and then the other one:
// if both hold their first lock, neither gets its second.
public class LockOrder {
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
        Account anna = new Account();
        Account ben = new Account();
        Thread there = new Thread(() -> transfer(anna, ben, 10), "there");
        Thread back = new Thread(() -> transfer(ben, anna, 5), "back");
        there.start();
        back.start();
        there.join();
        back.join();
    }
}
