import java.util.concurrent.locks.ReentrantLock;

/** Philosophers whose forks are fair locks, held as one holds locks of the library. */
public class DiningFair implements Runnable {
    private static ReentrantLock[] forks;

    private final int number;

    DiningFair(int number) {
        this.number = number;
    }

    @Override
    public void run() {
        ReentrantLock right = forks[number];
        ReentrantLock left = forks[(number == 0 ? forks.length : number) - 1];
        for (int meal = 1; meal <= 2; meal++) {
            right.lock();
            try {
                left.lock();
                try {
                    assert right.isHeldByCurrentThread() && left.isHeldByCurrentThread();
                } finally {
                    left.unlock();
                }
            } finally {
                right.unlock();
            }
        }
    }

    public static void main(String[] args) {
        forks = new ReentrantLock[Integer.parseInt(args[0])];
        for (int number = 0; number < forks.length; number++) {
            forks[number] = new ReentrantLock(true);
        }
        for (int number = 0; number < forks.length; number++) {
            new Thread(new DiningFair(number)).start();
        }
    }
}
