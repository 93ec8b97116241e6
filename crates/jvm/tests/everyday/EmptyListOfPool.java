//@ class threads
//@ verdict bug
import java.util.ArrayDeque;
import java.util.Deque;

/** A connection is waited for in one block and taken in another. */
public class EmptyListOfPool {
    private final Deque<Object> free = new ArrayDeque<>();

    Object borrow() throws InterruptedException {
        synchronized (this) {
            while (free.isEmpty()) {
                wait();
            }
        }
        synchronized (this) {
            return free.pop(); //~ exception
        }
    }

    synchronized void giveBack(Object connection) {
        free.push(connection);
        notify();
    }

    static void use(EmptyListOfPool pool) {
        try {
            pool.giveBack(pool.borrow());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        EmptyListOfPool pool = new EmptyListOfPool();
        pool.giveBack("connection");
        Thread one = new Thread(() -> use(pool));
        one.start();
        use(pool);
        one.join();
    }
}
