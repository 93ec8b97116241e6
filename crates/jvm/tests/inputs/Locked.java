import counterpoint.Input;
import java.util.concurrent.locks.ReentrantLock;

/** Branches on unknowns while a lock is held; a lost update for one input only. */
class Locked {
    static final ReentrantLock lock = new ReentrantLock();
    static int balance = 10;

    static void withdraw(int amount) {
        int left;
        lock.lock();
        try {
            if (balance < amount || amount < 0) {
                return;
            }
            left = balance - amount;
        } finally {
            lock.unlock();
        }
        if (amount == 7) {
            Thread.yield();
        }
        lock.lock();
        try {
            balance = left;
            assert balance >= 0;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(() -> withdraw(Input.anyInt()));
        Thread other = new Thread(() -> withdraw(3));
        one.start();
        other.start();
        one.join();
        other.join();
        int spent = 10 - balance;
        assert spent != 3 || balance == 7;
        if (balance == 2) {
            throw new IllegalStateException("balance 2");
        }
    }
}
