package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;

/** Its only tests bear the project's own annotation, and it is set up as the project has configured JUnit. */
class BasketTest {
    private int pieces;

    @BeforeAll
    void fill() {
        pieces = 1;
    }

    @Quick
    void holdsAPiece() {
        assertEquals(1, pieces);
    }

    @Quick
    void losesAPiece() throws InterruptedException {
        Thread other = new Thread(() -> pieces++);
        other.start();
        pieces++;
        other.join();
        assertEquals(3, pieces);
    }

    @Quick
    void glancesAtPieces() throws InterruptedException {
        Thread other = new Thread(() -> pieces = 5);
        other.start();
        int seen = pieces;
        other.join();
        assertTrue(seen == 1 || seen == 5);
    }
}
