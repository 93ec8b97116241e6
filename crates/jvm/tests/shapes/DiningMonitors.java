import java.util.ArrayList;
import java.util.List;

/** Philosophers who are threads, with forks that are objects of a class of their own. */
public class DiningMonitors {
    static final class Fork {
        final String name;

        Fork(String name) {
            this.name = name;
        }
    }

    static final class Philosopher extends Thread {
        private final Fork right;
        private final Fork left;
        private int meals;

        Philosopher(String name, Fork right, Fork left) {
            super(name);
            this.right = right;
            this.left = left;
        }

        @Override
        public void run() {
            while (meals < 2) {
                synchronized (right) {
                    eat();
                }
            }
        }

        private void eat() {
            synchronized (left) {
                meals++;
            }
        }
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        List<Fork> forks = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            forks.add(new Fork("fork " + number));
        }
        for (int number = 0; number < count; number++) {
            Fork left = forks.get(Math.floorMod(number - 1, count));
            new Philosopher("philosopher " + number, forks.get(number), left).start();
        }
    }
}
