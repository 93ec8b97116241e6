import java.util.concurrent.Phaser;

/** As many parties arrive at a phaser as it expects, or fewer. This one is wrong. */
public class MeetingBug {
    public static void main(String[] a) throws Exception {
        Phaser p = new Phaser(3);
        Thread t = new Thread(() -> p.arriveAndAwaitAdvance());
        t.start();
        p.arriveAndAwaitAdvance();
        t.join();
    }
}
