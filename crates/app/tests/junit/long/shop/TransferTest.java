package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** One test with many schedules. */
class TransferTest {
    private int balance;
    private int transfers;

    private synchronized void add(int amount) {
        balance += amount;
    }

    @Test
    void keepsTheBalanceButNotTheNumberOfTransfers() throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int amount = i + 1;
            threads[i] = new Thread(() -> {
                add(amount);
                transfers++;
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(6, balance);
        assertEquals(3, transfers);
    }
}
