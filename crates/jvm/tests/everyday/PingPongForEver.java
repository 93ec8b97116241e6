//@ class threads
//@ verdict ok
/** Two threads take turns until each has had three. */
public class PingPongForEver {
    static int turn;

    static void play(int me) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            synchronized (PingPongForEver.class) {
                while (turn != me) {
                    PingPongForEver.class.wait();
                }
                turn = 1 - me;
                PingPongForEver.class.notify();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            try {
                play(1);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        other.start();
        play(0);
        other.join();
        assert turn == 0;
    }
}
