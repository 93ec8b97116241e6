import java.util.concurrent.atomic.AtomicIntegerArray;

/** The same written once for both threads, over atomic flags in an object. */
public class SzymanskiAtomic {
    private final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    private volatile int inside;

    class Side implements Runnable {
        final int me;
        final int other;
        final int atDoors;
        final int within;

        Side(int me, int atDoors, int within) {
            this.me = me;
            this.other = 1 - me;
            this.atDoors = atDoors;
            this.within = within;
        }

        @Override
        public void run() {
            int rounds = 0;
            flags.set(me, 1);
            for (; flags.get(other) >= 3 && rounds < atDoors; rounds++) {
            }
            flags.set(me, 3);
            if (flags.get(other) == 1) {
                flags.set(me, 2);
                for (; flags.get(other) != 4 && rounds < within; rounds++) {
                }
            }
            flags.set(me, 4);
            for (; flags.get(other) >= 2 && rounds < within; rounds++) {
            }
            inside = me;
            int seen = inside;
            for (; flags.get(other) >= 2 && flags.get(other) <= 3 && rounds < atDoors; rounds++) {
            }
            flags.set(me, 0);
        }
    }

    public static void main(String[] args) {
        SzymanskiAtomic shared = new SzymanskiAtomic();
        for (int me = 0; me < 2; me++) {
            Runnable side =
                shared.new Side(me, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
            new Thread(side).start();
        }
    }
}
