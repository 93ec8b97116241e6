import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Waits for ever for something of the library, or of a class of its own that extends one of the library. */
public class Named {
    static class Fork extends ReentrantLock {
        final int place;

        Fork(int place) {
            this.place = place;
        }
    }

    static class Room extends Semaphore {
        Room() {
            super(0);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "fork" -> {
                Fork fork = new Fork(3);
                waitsFor(fork, fork.place);
            }
            case "lock" -> waitsFor(new ReentrantLock(), 1);
            case "room" -> new Room().acquire();
            case "queue" -> new SynchronousQueue<Integer>().put(1);
            case "fair-queue" -> new SynchronousQueue<Integer>(true).take();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void waitsFor(Lock lock, int times) throws InterruptedException {
        for (int time = 0; time < times; time++) lock.lock();
        Thread other = new Thread(lock::lock);
        other.start();
        other.join();
    }
}
