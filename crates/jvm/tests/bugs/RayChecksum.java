//@ switches 4
/** The row Ray of table 1: threads add their parts to one checksum. */
public class RayChecksum {
    private static long checksum;
    private static final Object guard = new Object();

    static final class Rays extends Thread {
        private final int first;
        private final boolean fixed;

        Rays(int first, boolean fixed) {
            this.first = first;
            this.fixed = fixed;
        }

        @Override
        public void run() {
            long own = 0;
            for (int ray = first; ray < 4; ray += 2) {
                own += ray * ray;
            }
            if (fixed) {
                synchronized (guard) {
                    checksum += own;
                }
            } else {
                checksum += own;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Rays even = new Rays(0, args.length > 0);
        Rays odd = new Rays(1, args.length > 0);
        even.start();
        odd.start();
        even.join();
        odd.join();
        if (checksum != 14) {
            throw new IllegalStateException("validation failed"); //~ exception
        }
    }
}
