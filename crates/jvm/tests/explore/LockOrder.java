/** Two threads take two locks, in different orders unless there is an argument. */
public class LockOrder {
    static final Object left = new Object();
    static final Object right = new Object();

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
                System.out.println("both");
            }
        }
    }

    public static void main(String[] args) {
        boolean ordered = args.length > 0;
        new Thread(() -> both(left, right), "a").start();
        new Thread(() -> both(ordered ? left : right, ordered ? right : left), "b").start();
    }
}
