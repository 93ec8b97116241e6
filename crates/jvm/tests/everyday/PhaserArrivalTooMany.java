//@ class threads
//@ verdict bug
import java.util.concurrent.Phaser;

/** Between the last arrival and the next phase nobody may arrive: who does so gets an exception. */
public class PhaserArrivalTooMany {
    public static void main(String[] args) throws InterruptedException {
        Phaser phaser = new Phaser(1);
        Thread other = new Thread(() -> {
            try {
                phaser.arrive();
            } catch (IllegalStateException expected) {
                // The main thread came first.
            }
        });
        other.start();
        try {
            phaser.arrive();
        } catch (IllegalStateException early) {
            assert false; //~ assertion
        }
        other.join();
    }
}
