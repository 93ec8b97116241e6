import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Loops that wait by looking, that look as if they did, and whose rounds somebody notices. */
public class Loops {
    static volatile boolean flag;
    static volatile int number;
    static int guarded;
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition condition = lock.newCondition();
    static final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    static final AtomicInteger x = new AtomicInteger(), y = new AtomicInteger();

    interface Work {
        void run() throws Exception;
    }

    static Thread start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception exception) {
                System.out.print(exception.getClass().getSimpleName());
            }
        });
        thread.start();
        return thread;
    }

    /** Looks at the flag under the lock until it is set. */
    static void poll() {
        while (true) {
            lock.lock();
            try {
                if (flag) return;
            } finally {
                lock.unlock();
            }
        }
    }

    static boolean tryOnce() {
        boolean got = lock.tryLock();
        if (got) lock.unlock();
        return got;
    }

    static void pass() {
        lock.lock();
        lock.unlock();
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            // The lock is free in between, so each of the two needs a round of its own to fail.
            case "watchdog" -> {
                Thread poller = start(Loops::poll);
                boolean first = tryOnce();
                pass();
                boolean second = tryOnce();
                flag = true;
                poller.join();
                System.out.print(first + " " + second);
            }
            case "asked-twice" -> {
                Thread poller = start(Loops::poll);
                boolean first = lock.isLocked();
                pass();
                boolean second = lock.isLocked();
                flag = true;
                poller.join();
                System.out.print(first + " " + second);
            }
            case "timed-twice" -> {
                Thread poller = start(Loops::poll);
                boolean first = lock.tryLock(1, TimeUnit.SECONDS);
                if (first) lock.unlock();
                pass();
                boolean second = lock.tryLock(1, TimeUnit.SECONDS);
                if (second) lock.unlock();
                flag = true;
                poller.join();
                System.out.print(first + " " + second);
            }
            case "readers-counted" -> {
                Thread reader = start(() -> {
                    while (!flag) {
                        both.readLock().lock();
                        both.readLock().unlock();
                    }
                });
                int first = both.getReadLockCount();
                both.writeLock().lock();
                both.writeLock().unlock();
                int second = both.getReadLockCount();
                flag = true;
                reader.join();
                System.out.print(first + " " + second);
            }
            // The thread has the lock more often each time.
            case "read-holds" -> {
                Thread writer = start(() -> number = 1);
                int sum = 0;
                both.readLock().lock();
                while (both.getReadHoldCount() < 3) {
                    both.readLock().lock();
                    sum += number * 0;
                }
                writer.join();
                System.out.print(both.getReadHoldCount() + sum);
            }
            case "holds" -> {
                Thread writer = start(() -> number = 1);
                int sum = 0;
                lock.lock();
                while (lock.getHoldCount() < 3) {
                    lock.lock();
                    sum += number * 0;
                }
                writer.join();
                System.out.print(lock.getHoldCount() + sum);
            }
            case "retry" -> {
                Thread[] threads = new Thread[3];
                for (int i = 0; i < 3; i++) {
                    threads[i] = start(() -> {
                        int value;
                        do {
                            y.get();
                            value = x.get();
                        } while (!x.compareAndSet(value, value + 1));
                        y.incrementAndGet();
                    });
                }
                for (Thread thread : threads) thread.join();
                System.out.print(x + " " + y);
            }
            // Of two that add until it works, each fails once at most.
            case "retry-two" -> {
                Thread other = start(Loops::add);
                add();
                other.join();
                System.out.print(x);
            }
            case "futures" -> {
                ExecutorService pool = Executors.newFixedThreadPool(1);
                List<Future<?>> futures = new ArrayList<>();
                for (int i = 0; i < 2; i++) futures.add(pool.submit(() -> { }));
                boolean all = false;
                while (!all) {
                    all = true;
                    for (Future<?> future : futures) {
                        if (!future.isDone()) all = false;
                    }
                }
                pool.shutdown();
                System.out.print("all done");
            }
            case "stream" -> {
                List<AtomicInteger> cells = List.of(x, y);
                Thread other = start(() -> { x.set(1); y.set(1); });
                while (!cells.stream().allMatch(cell -> cell.get() == 1)) Thread.onSpinWait();
                other.join();
                System.out.print("both set");
            }
            // What the thread counts is its own, but older than the loop.
            case "counted-in-array" -> {
                Thread other = start(() -> flag = true);
                int[] rounds = new int[1];
                while (!flag && rounds[0] < 3) rounds[0]++;
                other.join();
                System.out.print(rounds[0]);
            }
            case "counted-in-thread-local" -> {
                ThreadLocal<Integer> rounds = ThreadLocal.withInitial(() -> 0);
                Thread other = start(() -> flag = true);
                while (!flag && rounds.get() < 2) rounds.set(rounds.get() + 1);
                other.join();
                System.out.print(rounds.get());
            }
            case "deadline" -> {
                Thread other = start(() -> flag = true);
                long deadline = System.nanoTime() + 3_000;
                while (!flag && System.nanoTime() < deadline) Thread.onSpinWait();
                boolean seen = flag;
                other.join();
                System.out.print(seen);
            }
            // Whoever waits again is last in the queue.
            case "queue" -> {
                Thread again = start(() -> {
                    lock.lock();
                    while (!flag) condition.await(1, TimeUnit.SECONDS);
                    lock.unlock();
                });
                Thread[] once = new Thread[2];
                for (int i = 0; i < 2; i++) {
                    int number = i;
                    once[i] = start(() -> {
                        lock.lock();
                        if (guarded == number) {
                            guarded++;
                            if (condition.await(1, TimeUnit.HOURS)) x.incrementAndGet();
                        }
                        lock.unlock();
                    });
                    lock.lock();
                    condition.signal();
                    lock.unlock();
                }
                for (Thread thread : once) thread.join();
                flag = true;
                again.join();
                System.out.print(x);
            }
            // Each waits for what the other does in passing.
            case "meet" -> {
                Thread poller = start(Loops::poll);
                while (tryOnce()) Thread.onSpinWait();
                flag = true;
                poller.join();
                System.out.print("met");
            }
            case "long" -> start(() -> {
                long sum = 0;
                for (int round = 0; round < 3_000_000; round++) sum += round;
                throw new AssertionError(sum);
            });
            case "never-meet" -> {
                Thread poller = start(Loops::poll);
                while (!flag) tryOnce();
                poller.join();
                System.out.print("never");
            }
            case "seen-asleep" -> {
                Thread sleeper = start(() -> { while (!flag) Thread.sleep(10); });
                while (sleeper.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
                flag = true;
                sleeper.join();
                System.out.print("seen");
            }
            case "reentrant" -> {
                Thread other = start(() -> { synchronized (lock) { guarded = 1; } });
                synchronized (lock) { while (!isSet()) lock.wait(5); }
                other.join();
                System.out.print(guarded);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    static boolean isSet() {
        synchronized (lock) { return guarded == 1; }
    }

    static void add() {
        int value;
        do value = x.get(); while (!x.compareAndSet(value, value + 1));
    }
}
