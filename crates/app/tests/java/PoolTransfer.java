import java.util.concurrent.*;

public class PoolTransfer {
    static int balance = 100;
    static boolean audited;

    static boolean withdraw(int amount) {
        if (balance >= amount) {
            balance = balance - amount;
            return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        Future<Boolean> first = workers.submit(() -> withdraw(80));
        Future<Boolean> second = workers.submit(() -> withdraw(80));
        audited = true;
        boolean both = first.get() && second.get();
        workers.shutdown();
        if (both) {
            throw new IllegalStateException("both withdrawals went through");
        }
    }
}
