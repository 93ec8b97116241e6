import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.*;

/** Waits with a time limit of five seconds. The argument says which; what is printed is whether it expired. */
public class Limits {
    static final long LIMIT = 5;
    static final AtomicInteger count = new AtomicInteger();
    static final Object monitor = new Object();
    static volatile boolean told;

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "pool": pool(true); break;
            case "stuck-pool": pool(false); break;
            case "latch": latch(true); break;
            case "stuck-latch": latch(false); break;
            case "monitor": monitor(true); break;
            case "missed": monitor(false); break;
            case "condition": condition(); break;
            case "queue": queue(); break;
            case "lock": lock(); break;
            case "permit": permit(); break;
            case "join": join(); break;
            case "park": park(); break;
            case "two": two(); break;
            case "future": future(); break;
            case "exchange": exchange(); break;
            case "cached": cached(); break;
            case "readers": readers(); break;
            case "writer": writer(); break;
            default: throw new IllegalArgumentException(args[0]);
        }
    }

    /** A pool that ends, or one whose task waits for ever. */
    static void pool(boolean ends) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch never = new CountDownLatch(1);
        pool.submit(() -> count.incrementAndGet());
        pool.submit(() -> {
            if (!ends) never.await();
            return count.incrementAndGet();
        });
        pool.shutdown();
        System.out.print(pool.awaitTermination(LIMIT, TimeUnit.SECONDS) ? "in time " : "late ");
        System.out.print(count.get());
        never.countDown();
    }

    static void latch(boolean opens) throws Exception {
        CountDownLatch latch = new CountDownLatch(opens ? 2 : 3);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> { count.incrementAndGet(); latch.countDown(); }).start();
        }
        boolean open = latch.await(LIMIT, TimeUnit.SECONDS);
        System.out.print(open + " " + count.get());
    }

    /** A notification that comes only if the other thread sees that somebody waits, or always. */
    static void monitor(boolean always) throws Exception {
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                told = true;
                monitor.notify();
            }
        });
        other.start();
        synchronized (monitor) {
            if (always) {
                while (!told) monitor.wait(LIMIT * 1000);
            } else {
                monitor.wait(LIMIT * 1000);
            }
            System.out.print(told);
        }
    }

    static void condition() throws Exception {
        Lock lock = new ReentrantLock();
        Condition ready = lock.newCondition();
        new Thread(() -> {
            lock.lock();
            told = true;
            ready.signal();
            lock.unlock();
        }).start();
        lock.lock();
        boolean signalled = told || ready.await(LIMIT, TimeUnit.SECONDS);
        lock.unlock();
        System.out.print(signalled);
    }

    static void queue() throws Exception {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        new Thread(() -> { count.incrementAndGet(); queue.offer("a"); }).start();
        System.out.print(queue.poll(LIMIT, TimeUnit.SECONDS) + " " + queue.poll(LIMIT, TimeUnit.SECONDS));
    }

    static void lock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread other = new Thread(() -> { lock.lock(); count.incrementAndGet(); lock.unlock(); });
        other.start();
        boolean locked = lock.tryLock(LIMIT, TimeUnit.SECONDS);
        System.out.print(locked);
        if (locked) lock.unlock();
    }

    static void permit() throws Exception {
        Semaphore permits = new Semaphore(0);
        new Thread(() -> { count.incrementAndGet(); permits.release(); }).start();
        System.out.print(permits.tryAcquire(LIMIT, TimeUnit.SECONDS));
    }

    static void join() throws Exception {
        Thread other = new Thread(() -> { count.incrementAndGet(); count.incrementAndGet(); });
        other.start();
        other.join(LIMIT * 1000);
        System.out.print(other.isAlive() + " " + count.get());
    }

    static void park() throws Exception {
        Thread main = Thread.currentThread();
        new Thread(() -> { told = true; LockSupport.unpark(main); }).start();
        LockSupport.parkNanos(LIMIT * 1_000_000_000L);
        System.out.print(told);
    }

    /** Two that wait for each other: either may give up first. */
    static void two() throws Exception {
        Exchanger<String> first = new Exchanger<>(), second = new Exchanger<>();
        Thread other = new Thread(() -> {
            try {
                first.exchange("a", LIMIT, TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                count.addAndGet(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        try {
            second.exchange("b", LIMIT, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            count.addAndGet(2);
        }
        other.join();
        System.out.print(count.get());
    }

    static void future() throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        new Thread(() -> { count.incrementAndGet(); future.complete(7); }).start();
        try {
            System.out.print(future.get(LIMIT, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            System.out.print("late");
        }
    }

    static void exchange() throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        new Thread(() -> {
            try {
                exchanger.exchange("a", LIMIT, TimeUnit.SECONDS);
            } catch (TimeoutException | InterruptedException e) {
                count.incrementAndGet();
            }
        }).start();
        try {
            System.out.print(exchanger.exchange("b", LIMIT, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            System.out.print("late");
        }
    }

    /** Readers that keep their lock until the writer has given up, beside others that move. */
    static void readers() throws Exception {
        ReadWriteLock lock = new ReentrantReadWriteLock();
        CountDownLatch given = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                lock.readLock().lock();
                count.incrementAndGet();
                try {
                    given.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                lock.readLock().unlock();
            }).start();
        }
        boolean locked = lock.writeLock().tryLock(LIMIT, TimeUnit.SECONDS);
        System.out.print(locked + " " + count.get());
        if (locked) lock.writeLock().unlock();
        given.countDown();
    }

    static void cached() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        Future<Integer> one = pool.submit(count::incrementAndGet);
        Future<Integer> two = pool.submit(count::incrementAndGet);
        System.out.print(one.get(LIMIT, TimeUnit.SECONDS) + two.get(LIMIT, TimeUnit.SECONDS));
        pool.shutdown();
        System.out.print(pool.awaitTermination(LIMIT, TimeUnit.SECONDS));
    }

    /** Waits while reading for a reader that may stand behind a writer, who would give up at last. */
    static void writer() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        CountDownLatch read = new CountDownLatch(1);
        lock.readLock().lock();
        new Thread(() -> {
            try {
                if (lock.writeLock().tryLock(LIMIT, TimeUnit.SECONDS)) lock.writeLock().unlock();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        new Thread(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
            read.countDown();
        }).start();
        System.out.print(read.await(LIMIT, TimeUnit.SECONDS));
        lock.readLock().unlock();
    }
}
