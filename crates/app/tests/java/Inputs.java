public class Inputs {
    static int limit;

    static int amount() {
        return 0;
    }

    public static void main(String[] args) {
        new Thread(() -> limit = 10, "limiter").start();
        int amount = amount();
        if (amount > 5 && amount < 8 && limit == 10) {
            throw new IllegalStateException("amount " + amount);
        }
    }
}
