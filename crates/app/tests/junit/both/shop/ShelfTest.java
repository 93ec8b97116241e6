package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShelfTest {
    private final Shelf shelf = new Shelf();

    private void together(Runnable work) throws InterruptedException {
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }

    @Test
    void losesAPiece() throws InterruptedException {
        together(shelf::add);
        assertEquals(2, shelf.pieces());
    }

    @Test
    void keepsPieces() throws InterruptedException {
        together(shelf::addSafely);
        assertEquals(2, shelf.pieces());
    }
}
