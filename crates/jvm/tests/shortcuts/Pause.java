import java.util.concurrent.ThreadLocalRandom;

/** Lets threads of a real virtual machine meet in many ways. */
public class Pause {
    static volatile int sink;

    public static void now() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(4) == 0) {
            Thread.yield();
        }
        for (int rounds = random.nextInt(1 << random.nextInt(12)); rounds > 0; rounds--) {
            sink++;
        }
    }

    /** Every other time nothing, and otherwise long enough for other threads to do a few things. */
    public static void wide() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextBoolean()) {
            long until = System.nanoTime() + random.nextInt(1_000_000);
            while (System.nanoTime() < until) {
                Thread.yield();
            }
        }
    }
}
