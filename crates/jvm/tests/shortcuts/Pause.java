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
}
