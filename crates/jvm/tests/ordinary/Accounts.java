import java.util.*;
public class Accounts {
    static class Account {
        private double balance;
        private final String id;
        private List<String> log = new LinkedList<>();
        Account(String id) {
            this.id = id;
        }
        void deposit(double amt) {
            if (amt <= 0) throw new IllegalArgumentException("Deposit must be positive: " + amt);
            balance += amt;
            log.add(String.format("D%.2f", amt));
        }
        void withdraw(double amt) throws InsufficientFunds {
            if (amt > balance) throw new InsufficientFunds(amt - balance);
            balance -= amt;
            log.add(String.format("W%.2f", amt));
        }
    }
    static class InsufficientFunds extends Exception {
        final double missing;
        InsufficientFunds(double m) {
            super("Missing " + m);
            missing = m;
        }
    }
    public static void main(String[] a) {
        Map<String,Account> m = new TreeMap<>();
        for (String s : "zoe adam mia".split(" ")) m.put(s, new Account(s));
        m.get("zoe").deposit(100.5);
        try {
            m.get("zoe").withdraw(200);
        } catch (InsufficientFunds e) {
            System.out.println(e.getMessage() + " " + e.missing);
        }
        try {
            m.get("adam").deposit(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Map.Entry<String,Account> e : m.entrySet()) System.out.println(e.getKey() + " " + e.getValue().balance + " " + e.getValue().log);
        StringBuilder sb = new StringBuilder();
        new Object() {
            void hanoi(int n, char x, char y, char z) {
                if (n == 0) return;
                hanoi(n-1,x,z,y);
                sb.append(x).append(z).append(' ');
                hanoi(n-1,y,x,z);
            }
        }.hanoi(4,'A','B','C');
        System.out.println(sb);
    }
}
