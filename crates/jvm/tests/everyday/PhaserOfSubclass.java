//@ class threads
//@ verdict bug
import java.util.concurrent.Phaser;

/** The same for a phaser with a rule of its own for the end of a phase. */
public class PhaserOfSubclass {
    static class ThreePhases extends Phaser {
        ThreePhases(int parties) {
            super(parties);
        }

        @Override
        protected boolean onAdvance(int phase, int parties) {
            return phase >= 2 || parties == 0;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Phaser phaser = new ThreePhases(2);
        Thread other = new Thread(phaser::arriveAndAwaitAdvance);
        other.start();
        phaser.arrive();
        assert phaser.getUnarrivedParties() > 0; //~ assertion
        other.join();
    }
}
