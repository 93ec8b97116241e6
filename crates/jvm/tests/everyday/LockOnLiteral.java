//@ class threads
//@ verdict bug
/** Two classes lock the same literal strings in different order. */
public class LockOnLiteral {
    static final String left = "left", right = "right";
    static final class Other {
        static final String first = "right", second = "left";
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (Other.first) {
                synchronized (Other.second) {} //~ deadlock
            }
        });
        other.start();
        synchronized (left) {
            synchronized (right) {} //~ deadlock
        }
        other.join();
    }
}
