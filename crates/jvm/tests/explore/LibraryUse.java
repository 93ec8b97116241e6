import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.StampedLock;

/** Everyday uses of the concurrency library, one for each argument. */
public class LibraryUse {
    record Node(int value, Node next) { }

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        Node old;
        do { old = top.get(); } while (!top.compareAndSet(old, new Node(value, old)));
    }

    static void together(Runnable first, Runnable second) throws InterruptedException {
        Thread t = new Thread(first), u = new Thread(second);
        t.start();
        u.start();
        t.join();
        u.join();
    }

    static void produce(BlockingQueue<Integer> queue) {
        try {
            for (int i = 1; i <= 2; i++) queue.put(i);
            queue.put(0);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static int consume(BlockingQueue<Integer> queue) {
        try {
            int sum = 0;
            for (int next = queue.take(); next != 0; next = queue.take()) sum += next;
            return sum;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "queue" -> {
                BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
                int[] sum = {0};
                together(() -> produce(queue), () -> sum[0] = consume(queue));
                System.out.println(sum[0]);
            }
            case "compute" -> {
                ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
                AtomicInteger calls = new AtomicInteger();
                Runnable work = () -> map.computeIfAbsent("k", k -> calls.incrementAndGet());
                together(work, work);
                System.out.println(map + " " + calls);
            }
            case "stack" -> {
                together(() -> push(1), () -> push(2));
                System.out.println(top.get().value() + top.get().next().value());
            }
            case "phaser" -> {
                Phaser phaser = new Phaser(2);
                int[] x = {0, 0};
                together(() -> { x[0] = 1; phaser.arriveAndAwaitAdvance(); x[0] += x[1]; },
                         () -> { x[1] = 2; phaser.arriveAndAwaitAdvance(); });
                System.out.println(x[0]);
            }
            case "timer" -> {
                CountDownLatch fired = new CountDownLatch(1);
                new Timer(true).schedule(new TimerTask() {
                    @Override public void run() { fired.countDown(); }
                }, 10);
                fired.await();
                System.out.println("fired");
            }
            case "scheduled" -> {
                ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
                System.out.println(pool.schedule(() -> 7, 5, TimeUnit.MILLISECONDS).get());
                pool.shutdownNow();
            }
            case "snapshot" -> {
                List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));
                Thread t = new Thread(() -> list.add(3));
                t.start();
                int sum = 0;
                for (int x : list) sum += x;
                t.join();
                System.out.println(sum);
            }
            case "optimistic" -> {
                StampedLock lock = new StampedLock();
                int[] v = {0, 0};
                Thread t = new Thread(() -> {
                    long stamp = lock.writeLock();
                    v[0] = 1;
                    v[1] = 1;
                    lock.unlockWrite(stamp);
                });
                t.start();
                long stamp = lock.tryOptimisticRead();
                int x = v[0], y = v[1];
                if (!lock.validate(stamp)) {
                    stamp = lock.readLock();
                    x = v[0];
                    y = v[1];
                    lock.unlockRead(stamp);
                }
                t.join();
                if (x != y) throw new AssertionError(x + " " + y);
                System.out.println("consistent");
            }
            case "poll" -> {
                LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>();
                Thread t = new Thread(() -> deque.offerFirst(1));
                t.start();
                System.out.println(deque.poll(1, TimeUnit.SECONDS));
                t.join();
            }
        }
    }
}
