//@ class threads
//@ verdict ok
import java.util.concurrent.Phaser;

/** Nobody passes a phase before all have arrived. */
public class PhaserAdvances {
    static int[] parts = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Phaser phaser = new Phaser(2);
        Thread other = new Thread(() -> {
            parts[0] = 1;
            phaser.arriveAndAwaitAdvance();
            assert parts[1] == 2;
            phaser.arriveAndDeregister();
        });
        other.start();
        parts[1] = 2;
        phaser.arriveAndAwaitAdvance();
        assert parts[0] == 1;
        phaser.arriveAndDeregister();
        other.join();
        assert phaser.isTerminated();
    }
}
