/**
 * A customer hands in a coupon while a sale begins. The coupon is compared with the price first and
 * taken off later; a large one fits the old price and not the new one. Only some coupons do harm, and
 * only if the sale does not come first: check with {@code --input Coupon.coupon}.
 */
public class Coupon {
    private static int price = 100;

    /** What the customer hands in: a value from outside. */
    static int coupon() {
        return 20;
    }

    static synchronized int price() {
        return price;
    }

    static synchronized void reduce(int amount) {
        price -= amount;
    }

    public static void main(String[] args) throws InterruptedException {
        int coupon = coupon();
        Thread sale = new Thread(() -> reduce(50), "sale");
        sale.start();
        if (coupon > 0 && coupon <= price()) {
            reduce(coupon);
        }
        sale.join();
        assert price() >= 0 : "a negative price";
    }
}
