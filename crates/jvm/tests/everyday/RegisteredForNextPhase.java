//@ class threads
//@ verdict bug
import java.util.concurrent.Phaser;

/** Who registers in time keeps a phase from ending. */
public class RegisteredForNextPhase {
    public static void main(String[] args) throws InterruptedException {
        Phaser phaser = new Phaser(1);
        Thread other = new Thread(() -> {
            phaser.register();
            phaser.arriveAndDeregister();
        });
        other.start();
        phaser.arrive();
        int phase = phaser.getPhase();
        other.join();
        assert phase == 1; //~ assertion
    }
}
