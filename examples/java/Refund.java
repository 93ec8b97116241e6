import counterpoint.Input;

/** Two clerks pay refunds out of one till. Some amounts are too much for both. */
public class Refund {
    static int till = 100;

    static synchronized boolean isEnoughFor(int amount) {
        return 0 < amount && amount <= till;
    }

    static synchronized void pay(int amount) {
        till -= amount;
        assert till >= 0 : "the till is overdrawn";
    }

    static void refund(int amount) {
        if (isEnoughFor(amount)) {
            pay(amount);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> refund(30)).start();
        refund(Input.anyInt());
    }
}
