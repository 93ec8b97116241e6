package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import counterpoint.junit.Explored;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class StockTest {
    int stock;

    @AfterEach
    void tearDown() {
        assertTrue(stock > 0, "tear-down belongs to the exploration");
    }

    @Test
    @Explored
    void losesADelivery() throws Exception {
        Thread other = new Thread(() -> stock++);
        other.start();
        stock++;
        other.join();
        assertEquals(2, stock);
    }

    @Test
    @Explored(options = {"--time", "50"})
    void keepsDeliveries() throws Exception {
        Thread other = new Thread(() -> { synchronized (this) { stock++; } });
        other.start();
        synchronized (this) {
            stock++;
        }
        other.join();
        assertEquals(2, stock);
    }

    @Test
    @Explored
    void assumesInVain() {
        stock = 1;
        assumeTrue(stock > 1, "a full stock");
    }

    @RepeatedTest(2)
    @Explored
    void isExploredOnce() {
        stock++;
    }

    @Test
    void runsAsAlways() {
        stock = 1;
    }
}
