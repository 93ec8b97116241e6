import java.util.concurrent.Phaser;

/** As many parties arrive at a phaser as it expects, or fewer. This one is right. */
public class MeetingFix {
    public static void main(String[] a) throws Exception {
        Phaser p = new Phaser(2);
        Thread t = new Thread(() -> p.arriveAndAwaitAdvance());
        t.start();
        p.arriveAndAwaitAdvance();
        t.join();
    }
}
