import java.util.concurrent.Semaphore;

/** Philosophers whose forks are semaphores with one permit. */
public class DiningPermits {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        Semaphore[] forks = new Semaphore[count];
        for (int number = 0; number < count; number++) {
            forks[number] = new Semaphore(1);
        }
        for (int number = 0; number < count; number++) {
            Semaphore right = forks[number];
            Semaphore left = forks[(number + count - 1) % count];
            Runnable philosopher = () -> {
                for (int meal = 0; meal < 2; meal++) {
                    right.acquireUninterruptibly();
                    left.acquireUninterruptibly();
                    left.release();
                    right.release();
                }
            };
            new Thread(philosopher).start();
        }
    }
}
