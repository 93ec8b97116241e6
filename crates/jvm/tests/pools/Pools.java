import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Small programs with pools, futures and queues; the first argument says which. */
public class Pools {
    static int plain;
    static volatile boolean flag;

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "results": results(); break;
            case "lost-update": lostUpdate(); break;
            case "await": await(); break;
            case "all": all(); break;
            case "any": any(); break;
            case "single": single(); break;
            case "order": order(); break;
            case "timeout": timeout(); break;
            case "cancel": cancel(); break;
            case "stop": stop(); break;
            case "rejected": rejected(); break;
            case "caller-runs": callerRuns(); break;
            case "failing": failing(); break;
            case "scheduled": scheduled(); break;
            case "completion": completion(); break;
            case "polling": polling(); break;
            case "interrupted-take": interruptedTake(); break;
            case "bounded": bounded(); break;
            case "starved": starved(); break;
            case "factory": factory(); break;
            case "hooks": hooks(); break;
            case "walk": walk(); break;
            case "shutdown-race": shutdownRace(); break;
            case "interrupted-get": interruptedGet(); break;
            case "cached": cached(); break;
            default: throw new IllegalArgumentException(arguments[0]);
        }
    }

    static void results() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> left = pool.submit(() -> 20);
        Future<Integer> right = pool.submit(() -> 22);
        System.out.println(left.get() + right.get());
        pool.shutdown();
    }

    static void lostUpdate() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> left = pool.submit(() -> { plain++; });
        Future<?> right = pool.submit(() -> { plain++; });
        left.get();
        right.get();
        System.out.println(plain);
        pool.shutdown();
    }

    static void await() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> { synchronized (Pools.class) { plain++; } });
        pool.execute(() -> { synchronized (Pools.class) { plain++; } });
        pool.shutdown();
        boolean ended = pool.awaitTermination(1, TimeUnit.SECONDS);
        System.out.println(ended ? "ended " + plain : "late");
    }

    static void all() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = 0;
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2);
        for (Future<Integer> future : pool.invokeAll(tasks)) {
            sum += future.get();
        }
        System.out.println(sum + " " + pool.isShutdown());
        pool.shutdown();
    }

    static void any() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2);
        System.out.println(pool.invokeAny(tasks));
        pool.shutdown();
    }

    static void single() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> plain++);
        pool.execute(() -> plain++);
        Future<Integer> last = pool.submit(() -> plain);
        System.out.println(last.get());
        pool.shutdown();
    }

    static void order() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        StringBuffer text = new StringBuffer();
        Thread other = new Thread(() -> pool.execute(() -> text.append("b")));
        other.start();
        pool.execute(() -> text.append("a"));
        other.join();
        pool.submit(() -> System.out.println(text)).get();
        pool.shutdown();
    }

    static void timeout() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> future = pool.submit(() -> 7);
        try {
            System.out.println(future.get(1, TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            System.out.println("late " + (future.get() == 7));
        }
        pool.shutdown();
    }

    static void cancel() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        AtomicInteger ran = new AtomicInteger();
        Future<?> future = pool.submit(() -> {
            try {
                Thread.sleep(1000);
                ran.set(1);
            } catch (InterruptedException interrupted) {
                ran.set(2);
            }
        });
        boolean cancelled = future.cancel(true);
        String result;
        try {
            future.get();
            result = "result";
        } catch (CancellationException expected) {
            result = "cancelled";
        }
        pool.shutdown();
        while (!pool.isTerminated()) {
            Thread.yield();
        }
        System.out.println(cancelled + " " + result + " " + ran);
    }

    static void stop() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        AtomicInteger interrupted = new AtomicInteger();
        Runnable task = () -> {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException now) {
                interrupted.incrementAndGet();
            }
        };
        pool.execute(task);
        pool.execute(task);
        int left = pool.shutdownNow().size();
        while (!pool.isTerminated()) {
            Thread.yield();
        }
        System.out.println(left + " left, interrupted " + interrupted);
    }

    static void rejected() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Thread other = new Thread(pool::shutdown);
        other.start();
        try {
            pool.execute(() -> plain = 1);
            System.out.println("accepted");
        } catch (RejectedExecutionException full) {
            System.out.println("rejected");
        }
        other.join();
    }

    static void callerRuns() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        AtomicInteger byCaller = new AtomicInteger();
        Thread caller = Thread.currentThread();
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                if (Thread.currentThread() == caller) {
                    byCaller.incrementAndGet();
                }
            });
        }
        pool.shutdown();
        System.out.println(byCaller);
    }

    static void failing() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> future = pool.submit(() -> {
            if (plain == 0) {
                throw new IllegalStateException("no");
            }
            return 1;
        });
        try {
            future.get();
        } catch (ExecutionException failed) {
            System.out.println(failed.getCause().getMessage());
        }
        pool.shutdown();
    }

    static void scheduled() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        StringBuffer text = new StringBuffer();
        Future<?> late = pool.schedule(() -> text.append("late"), 20, TimeUnit.MILLISECONDS);
        Future<?> soon = pool.schedule(() -> text.append("soon"), 10, TimeUnit.MILLISECONDS);
        late.get();
        soon.get();
        System.out.println(text);
        pool.shutdown();
    }

    static void completion() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletionService<String> service = new ExecutorCompletionService<>(pool);
        service.submit(() -> "a");
        service.submit(() -> "b");
        System.out.println(service.take().get() + service.take().get());
        pool.shutdown();
    }

    static void polling() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> future = pool.submit(() -> 3);
        while (!future.isDone()) {
            Thread.onSpinWait();
        }
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        pool.execute(() -> queue.offer(future.isDone() ? 1 : 0));
        while (queue.isEmpty()) {
            Thread.yield();
        }
        Integer element;
        do {
            element = queue.poll();
        } while (element == null);
        System.out.println(future.get() + element);
        pool.shutdown();
    }

    static void interruptedTake() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        Thread taker = new Thread(() -> {
            try {
                System.out.println("took " + queue.take());
            } catch (InterruptedException interrupted) {
                System.out.println("interrupted, left " + queue.size());
            }
        });
        taker.start();
        queue.put(1);
        taker.interrupt();
        taker.join();
    }

    static void bounded() throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 3; i++) {
                    queue.put(i);
                }
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        producer.start();
        int last = 0;
        for (int i = 0; i < 3; i++) {
            int next = queue.take();
            if (next != last + 1) {
                throw new AssertionError(next);
            }
            last = next;
        }
        producer.join();
        System.out.println(queue.size());
    }

    /** A task that waits for another task of the same pool with one thread. */
    static void starved() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> outer = pool.submit(() -> pool.submit(() -> 1).get());
        System.out.println(outer.get());
        pool.shutdown();
    }

    static void factory() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "worker-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        Future<String> one = pool.submit(() -> Thread.currentThread().getName());
        Future<String> two = pool.submit(() -> Thread.currentThread().getName());
        System.out.println(one.get() + " " + two.get());
    }

    static void hooks() throws Exception {
        AtomicInteger before = new AtomicInteger();
        ThreadPoolExecutor pool =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                @Override protected void beforeExecute(Thread thread, Runnable task) {
                    before.incrementAndGet();
                }
                @Override protected void terminated() {
                    flag = true;
                }
            };
        pool.submit(() -> plain = 1).get();
        pool.shutdown();
        boolean ended = pool.awaitTermination(1, TimeUnit.SECONDS);
        System.out.println(before + " " + (!ended || flag));
    }

    static void walk() throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(List.of(1, 2));
        Thread other = new Thread(() -> queue.remove(1));
        other.start();
        List<Integer> seen = new ArrayList<>();
        for (int element : queue) {
            seen.add(element);
        }
        other.join();
        System.out.println(seen + " " + queue);
    }

    static void shutdownRace() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> first = pool.submit(() -> 1);
        Thread other = new Thread(() -> System.out.println(pool.shutdownNow().size()));
        other.start();
        try {
            pool.submit(() -> 2);
            System.out.println("accepted");
        } catch (RejectedExecutionException full) {
            System.out.println("rejected");
        }
        other.join();
    }

    /** The second task is run by the worker that has run the first, or by another. */
    static void cached() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        Thread first = pool.submit(() -> Thread.currentThread()).get();
        Thread second = pool.submit(() -> Thread.currentThread()).get();
        System.out.println(first == second);
        pool.shutdown();
    }

    static void interruptedGet() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 5);
        Thread getter = new Thread(() -> {
            try {
                System.out.println("got " + task.get());
            } catch (InterruptedException interrupted) {
                System.out.println("interrupted");
            } catch (ExecutionException failed) {
                throw new AssertionError(failed);
            }
        });
        getter.start();
        getter.interrupt();
        task.run();
        getter.join();
    }
}
