import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What others can notice of a thread: its beginning, its end, its monitor, its handlers, its time. */
public class Life {
    static volatile boolean done;
    static volatile String seen = "nothing";
    static int value;
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();

    /** A thread whose `run` is synchronized. */
    static class Own extends Thread {
        int count;

        @Override
        public synchronized void run() {
            count++;
            if (count == 1) notifyAll();
        }

        synchronized int add() {
            return ++count;
        }
    }

    static class Both extends Thread {
        @Override
        public synchronized void run() {
            synchronized (monitor) { value++; }
        }
    }

    static class Waits extends Thread {
        @Override
        public synchronized void run() {
            try {
                while (!done) wait();
                value = 1;
            } catch (InterruptedException exception) {
                value = 2;
            }
        }
    }

    static class Group extends ThreadGroup {
        Group() { super("own"); }

        @Override
        public void uncaughtException(Thread thread, Throwable exception) {
            seen = exception.getMessage();
        }
    }

    static Thread failing() {
        return new Thread(() -> { throw new IllegalStateException("broken"); });
    }

    interface Wait {
        boolean run() throws Exception;
    }

    /** A wait that expires has taken its time. */
    static void timed(Wait wait) throws Exception {
        long before = System.nanoTime();
        long millis = System.currentTimeMillis();
        boolean woken = wait.run();
        long took = System.nanoTime() - before;
        long passed = System.currentTimeMillis() - millis;
        assert woken || took >= 50_000_000L : took;
        assert woken || passed >= 50 : passed;
        System.out.print(woken ? "woken" : "late");
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "alive" -> {
                Thread thread = new Thread(() -> { });
                thread.start();
                System.out.print(thread.isAlive());
            }
            case "alive-after-last" -> {
                Thread thread = new Thread(() -> done = true);
                thread.start();
                if (done) System.out.print(thread.isAlive());
            }
            case "alive-after-timed-join" -> {
                Thread thread = new Thread(() -> value = 1);
                thread.start();
                thread.join(10);
                System.out.print(thread.isAlive() + " " + value);
            }
            case "method-reference" -> {
                lock.lock();
                Thread thread = new Thread(lock::lock);
                thread.start();
                thread.join();
            }
            case "main-alive" -> {
                Thread main = Thread.currentThread();
                Thread thread = new Thread(() -> System.out.print(main.isAlive()));
                thread.start();
            }
            case "not-asked" -> {
                Thread thread = new Thread(() -> value = 1);
                thread.start();
                thread.join();
                System.out.print(value);
            }
            case "state" -> {
                Thread thread = new Thread(() -> { });
                thread.start();
                System.out.print(thread.getState());
            }
            case "state-before-monitor" -> {
                Thread thread = new Thread(() -> { synchronized (monitor) { value++; } });
                synchronized (monitor) {
                    thread.start();
                    System.out.print(thread.getState());
                }
            }
            case "state-before-sleep" -> {
                Thread thread = new Thread(() -> LockSupport.parkNanos(1));
                thread.start();
                System.out.print(thread.getState());
            }
            case "group" -> {
                ThreadGroup group = new ThreadGroup("group");
                Thread thread = new Thread(group, () -> { });
                int before = group.activeCount();
                thread.start();
                int meanwhile = group.activeCount();
                thread.join();
                System.out.print(before + " " + meanwhile + " " + group.activeCount());
            }
            case "enumerate" -> {
                ThreadGroup group = new ThreadGroup("group");
                new Thread(group, () -> { }, "one").start();
                new Thread(new ThreadGroup(group, "below"), () -> { }, "two").start();
                Thread[] list = new Thread[4];
                int count = group.enumerate(list);
                String names = "";
                for (int i = 0; i < count; i++) names += list[i].getName() + " ";
                System.out.print(count + " " + names + group.enumerate(list, false));
            }
            case "group-of-ended" -> {
                Thread thread = new Thread(() -> { });
                thread.start();
                System.out.print(thread.getThreadGroup() == null);
            }
            case "wait-for-group" -> {
                ThreadGroup group = new ThreadGroup("group");
                for (int i = 0; i < 2; i++) new Thread(group, () -> { }).start();
                while (group.activeCount() > 0) Thread.onSpinWait();
                System.out.print("empty");
            }
            case "monitor-of-run" -> {
                Own thread = new Own();
                thread.start();
                synchronized (thread) { while (thread.count == 0) thread.wait(); }
                thread.join();
                System.out.print(thread.count);
            }
            case "monitor-excludes" -> {
                Own thread = new Own();
                thread.start();
                int added = thread.add();
                thread.join();
                System.out.print(added + " " + thread.count);
            }
            case "monitor-deadlock" -> {
                Both thread = new Both();
                thread.start();
                synchronized (monitor) { synchronized (thread) { value++; } }
                thread.join();
                System.out.print(value);
            }
            case "waits-in-run" -> {
                Waits thread = new Waits();
                thread.start();
                synchronized (thread) { done = true; thread.notify(); }
                thread.join();
                System.out.print(value);
            }
            case "monitor-held-at-start" -> {
                Own thread = new Own();
                synchronized (thread) {
                    thread.start();
                    value = thread.count;
                }
                thread.join();
                System.out.print(value + " " + thread.count);
            }
            case "handler" -> {
                Thread thread = failing();
                thread.setUncaughtExceptionHandler((t, exception) -> seen = exception.getMessage());
                thread.start();
                String early = seen;
                thread.join();
                System.out.print(early + " " + seen);
            }
            case "handler-of-group" -> {
                Thread thread = new Thread(new Group(), () -> { throw new RuntimeException("group"); });
                thread.start();
                thread.join();
                System.out.print(seen);
            }
            case "default-handler" -> {
                Thread.setDefaultUncaughtExceptionHandler((t, exception) -> seen = "default");
                Thread thread = failing();
                thread.start();
                thread.join();
                System.out.print(seen);
            }
            case "no-handler" -> {
                Thread thread = failing();
                thread.start();
                thread.join();
                System.out.print(seen);
            }
            case "handler-fails" -> {
                Thread thread = failing();
                thread.setUncaughtExceptionHandler((t, e) -> { throw new IllegalArgumentException("worse"); });
                thread.start();
                thread.join();
                System.out.print("end");
            }
            case "handler-passes-on" -> {
                Thread thread = failing();
                thread.setUncaughtExceptionHandler((t, e) -> t.getThreadGroup().uncaughtException(t, e));
                thread.start();
                thread.join();
                System.out.print("end");
            }
            case "alive-in-handler" -> {
                Thread thread = failing();
                thread.setUncaughtExceptionHandler((t, exception) -> seen = "handled");
                thread.start();
                if (seen.equals("handled")) System.out.print(thread.isAlive());
            }
            case "latch" -> {
                CountDownLatch latch = new CountDownLatch(1);
                new Thread(latch::countDown).start();
                timed(() -> latch.await(50, TimeUnit.MILLISECONDS));
            }
            case "semaphore" -> {
                Semaphore permits = new Semaphore(0);
                new Thread(permits::release).start();
                timed(() -> permits.tryAcquire(50, TimeUnit.MILLISECONDS));
            }
            case "try-lock" -> {
                Thread thread = new Thread(() -> { lock.lock(); value++; lock.unlock(); });
                thread.start();
                timed(() -> lock.tryLock(50, TimeUnit.MILLISECONDS));
                if (lock.isHeldByCurrentThread()) lock.unlock();
            }
            case "queue" -> {
                LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
                new Thread(() -> queue.add("element")).start();
                timed(() -> queue.poll(50, TimeUnit.MILLISECONDS) != null);
            }
            case "wait" -> {
                new Thread(() -> { synchronized (monitor) { done = true; monitor.notify(); } }).start();
                timed(() -> { synchronized (monitor) { if (!done) monitor.wait(50); return done; } });
            }
            case "join" -> {
                Thread thread = new Thread(() -> done = true);
                thread.start();
                timed(() -> { thread.join(50); return !thread.isAlive(); });
            }
            case "park" -> {
                Thread main = Thread.currentThread();
                new Thread(() -> { done = true; LockSupport.unpark(main); }).start();
                timed(() -> { LockSupport.parkNanos(50_000_000L); return done; });
            }
            case "condition" -> {
                Condition condition = lock.newCondition();
                new Thread(() -> { lock.lock(); done = true; condition.signal(); lock.unlock(); }).start();
                lock.lock();
                timed(() -> done || condition.await(50, TimeUnit.MILLISECONDS));
                lock.unlock();
            }
            case "future" -> {
                ExecutorService pool = Executors.newFixedThreadPool(1);
                Future<?> future = pool.submit(() -> { });
                timed(() -> {
                    try {
                        future.get(50, TimeUnit.MILLISECONDS);
                        return true;
                    } catch (TimeoutException late) {
                        return false;
                    }
                });
                pool.shutdown();
            }
            case "sleep-then-join" -> {
                long before = System.nanoTime();
                Thread thread = new Thread(() -> {
                    try { Thread.sleep(50); } catch (InterruptedException exception) { }
                });
                thread.start();
                thread.join();
                assert System.nanoTime() - before >= 50_000_000L;
                System.out.print("late");
            }
            case "deadline" -> {
                Thread thread = new Thread(() -> { synchronized (monitor) { done = true; monitor.notify(); } });
                thread.start();
                long deadline = System.currentTimeMillis() + 100;
                boolean inTime = true;
                synchronized (monitor) {
                    while (!done) {
                        long left = deadline - System.currentTimeMillis();
                        if (left <= 0) { inTime = false; break; }
                        monitor.wait(left);
                    }
                }
                System.out.print(inTime);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
