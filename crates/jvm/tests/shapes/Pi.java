import java.util.concurrent.locks.ReentrantLock;

/** Threads compute parts of pi and add them up; the lock is a monitor or one of the library. */
public class Pi {
    private final ReentrantLock lock = new ReentrantLock();
    private final int parts;
    private double pi;

    Pi(int parts) {
        this.parts = parts;
    }

    private double part(int number) {
        double sum = 0;
        double width = 1.0 / 12;
        for (int step = number; step < 12; step += parts) {
            double x = (step + 0.5) * width;
            sum += 4 / (1 + x * x);
        }
        return sum * width;
    }

    private synchronized void add(double part) {
        pi += part;
    }

    private void addLocked(double part) {
        lock.lock();
        try {
            pi += part;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[1]);
        Pi whole = new Pi(threads);
        boolean monitor = args[0].equals("monitor");
        for (int number = 0; number < threads; number++) {
            int own = number;
            Runnable work = monitor
                ? () -> whole.add(whole.part(own))
                : () -> whole.addLocked(whole.part(own));
            new Thread(work).start();
        }
    }
}
