import counterpoint.Input;

/** The same till, repaired: looking and paying happen under one lock. */
public class RefundFixed {
    static int till = 100;

    static synchronized void refund(int amount) {
        if (0 < amount && amount <= till) {
            till -= amount;
            assert till >= 0 : "the till is overdrawn";
        }
    }

    public static void main(String[] args) {
        new Thread(() -> refund(30)).start();
        refund(Input.anyInt());
    }
}
