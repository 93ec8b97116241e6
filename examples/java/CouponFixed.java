/** The same coupon, repaired: everything that changes the price first looks whether it fits. */
public class CouponFixed {
    private static int price = 100;

    /** What the customer hands in: a value from outside. */
    static int coupon() {
        return 20;
    }

    static synchronized void reduce(int amount) {
        if (amount > 0 && amount <= price) {
            price -= amount;
        }
    }

    static synchronized int price() {
        return price;
    }

    public static void main(String[] args) throws InterruptedException {
        int coupon = coupon();
        Thread sale = new Thread(() -> reduce(50), "sale");
        sale.start();
        reduce(coupon);
        sale.join();
        assert price() >= 0 : "a negative price";
    }
}
