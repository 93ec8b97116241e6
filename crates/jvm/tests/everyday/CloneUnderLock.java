//@ class natives
//@ verdict ok
/** The same under a lock. */
public class CloneUnderLock {
    static final int[] balances = {5, 5};

    static synchronized void transfer() {
        balances[0] -= 2;
        balances[1] += 2;
    }

    static synchronized int[] snapshot() { return balances.clone(); }

    public static void main(String[] args) throws InterruptedException {
        Thread transfer = new Thread(CloneUnderLock::transfer);
        transfer.start();
        int[] copy = snapshot();
        assert copy[0] + copy[1] == 10;
        transfer.join();
    }
}
