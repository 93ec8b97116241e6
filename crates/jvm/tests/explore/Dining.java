/** Philosophers eat twice each, taking the fork to the right first. */
public class Dining {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        Object[] forks = new Object[count];
        for (int number = 0; number < count; number++) {
            forks[number] = new Object();
        }
        for (int number = 0; number < count; number++) {
            Object first = forks[number];
            Object second = forks[(number + count - 1) % count];
            new Thread(() -> {
                for (int meal = 0; meal < 2; meal++) {
                    synchronized (first) {
                        synchronized (second) {
                        }
                    }
                }
            }, "philosopher " + number).start();
        }
    }
}
