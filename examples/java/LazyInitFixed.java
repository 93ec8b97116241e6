/** The same connection, repaired: looking for it and making it happen under one lock. */
public class LazyInitFixed {
    private static LazyInitFixed connection;

    static synchronized LazyInitFixed connection() {
        if (connection == null) {
            connection = new LazyInitFixed();
        }
        return connection;
    }

    public static void main(String[] args) throws InterruptedException {
        LazyInitFixed[] seen = new LazyInitFixed[2];
        Thread first = new Thread(() -> seen[0] = connection());
        Thread second = new Thread(() -> seen[1] = connection());
        first.start();
        second.start();
        first.join();
        second.join();
        assert seen[0] == seen[1] : "two connections";
    }
}
