class Account {
    int balance = 100;
}

public class Monitors {
    static void move(Account from, Account to) {
        synchronized (from) {
            synchronized (to) {
                from.balance--;
                to.balance++;
            }
        }
    }

    public static void main(String[] args) {
        Account one = new Account();
        Account other = new Account();
        new Thread(() -> move(one, other), "there").start();
        new Thread(() -> move(other, one), "back").start();
    }
}
