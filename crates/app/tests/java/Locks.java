import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class Locks {
    final Lock left = new ReentrantLock();
    final Lock right = new ReentrantLock();

    void both(Lock first, Lock second) {
        first.lock();
        second.lock();
        second.unlock();
        first.unlock();
    }

    public static void main(String[] args) {
        Locks locks = new Locks();
        new Thread(() -> locks.both(locks.left, locks.right)).start();
        new Thread(() -> locks.both(locks.right, locks.left)).start();
    }
}
