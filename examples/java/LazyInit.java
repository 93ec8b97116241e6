/**
 * A shared connection is made when it is first needed. Two threads that need it at the same time
 * both find none, and each makes its own.
 */
public class LazyInit {
    private static LazyInit connection;

    static LazyInit connection() {
        if (connection == null) {
            connection = new LazyInit();
        }
        return connection;
    }

    public static void main(String[] args) throws InterruptedException {
        LazyInit[] seen = new LazyInit[2];
        Thread first = new Thread(() -> seen[0] = connection());
        Thread second = new Thread(() -> seen[1] = connection());
        first.start();
        second.start();
        first.join();
        second.join();
        assert seen[0] == seen[1] : "two connections";
    }
}
