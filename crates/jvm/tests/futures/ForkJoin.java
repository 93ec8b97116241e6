import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Small programs with pools that steal work; the first argument says which. */
public class ForkJoin {
    static int plain;

    static class Sum extends RecursiveTask<Integer> {
        final int from;
        final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        protected Integer compute() {
            if (to - from == 1) {
                return from;
            }
            Sum left = new Sum(from, (from + to) / 2);
            Sum right = new Sum((from + to) / 2, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    static class Count extends RecursiveAction {
        final int times;

        Count(int times) {
            this.times = times;
        }

        protected void compute() {
            if (times == 1) {
                plain++;
            } else {
                invokeAll(new Count(times / 2), new Count(times - times / 2));
            }
        }
    }

    static class Failing extends RecursiveTask<Integer> {
        protected Integer compute() {
            throw new IllegalStateException("no");
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "sum": System.out.println(new ForkJoinPool(2).invoke(new Sum(0, 4))); break;
            case "common": System.out.println(new Sum(0, 4).invoke()); break;
            case "lost-update": lostUpdate(); break;
            case "stealing": stealing(); break;
            case "stream": System.out.println(IntStream.range(0, 4).parallel().sum()); break;
            case "for-each": forEach(); break;
            case "collected": collected(); break;
            case "failing": failing(); break;
            case "ended": ended(); break;
            case "rejected": rejected(); break;
            case "waiting": waiting(); break;
            case "enough": relay(2); break;
            case "starved": relay(3); break;
            case "timed": timed(); break;
            case "interrupted": interrupted(); break;
            default: throw new IllegalArgumentException(arguments[0]);
        }
    }

    static void lostUpdate() {
        ForkJoinPool.commonPool().invoke(new Count(2));
        System.out.println(plain);
    }

    static void stealing() throws Exception {
        ExecutorService pool = Executors.newWorkStealingPool(2);
        Future<Integer> left = pool.submit(() -> 20);
        Future<Integer> right = pool.submit(() -> 22);
        System.out.println(left.get() + right.get());
    }

    static void forEach() {
        int[] count = {0};
        IntStream.range(0, 2).parallel().forEach(index -> count[0]++);
        System.out.println(count[0]);
    }

    static void collected() {
        System.out.println(List.of(3, 1, 2).parallelStream().map(n -> n * 2).toList());
    }

    static void failing() {
        try {
            ForkJoinPool.commonPool().submit(new Failing()).get();
        } catch (ExecutionException | InterruptedException failure) {
            System.out.println(failure.getCause().getClass().getSimpleName());
        }
    }

    static void ended() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        AtomicInteger done = new AtomicInteger();
        pool.execute(done::incrementAndGet);
        pool.shutdown();
        boolean ended = pool.awaitTermination(1, TimeUnit.SECONDS);
        System.out.println(ended ? "ended " + done : "late");
    }

    static void rejected() {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.shutdown();
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException expected) {
            System.out.println("rejected");
        }
    }

    /** Two tasks that wait for each other. */
    static void waiting() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Future<?> left = ForkJoinPool.commonPool().submit(() -> { await(second); first.countDown(); });
        ForkJoinPool.commonPool().submit(() -> { await(first); second.countDown(); });
        left.get();
    }

    /** All tasks but the last wait for it, in a pool of two workers. */
    static void relay(int tasks) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch open = new CountDownLatch(1);
        for (int task = 1; task < tasks; task++) {
            pool.submit(() -> await(open));
        }
        pool.submit(open::countDown).get();
        System.out.println("open");
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static void timed() throws Exception {
        Future<Integer> future = ForkJoinPool.commonPool().submit(() -> 7);
        try {
            System.out.println(future.get(1, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            System.out.println("late");
        }
    }

    static void interrupted() throws Exception {
        Thread main = Thread.currentThread();
        Future<Integer> future = ForkJoinPool.commonPool().submit(() -> { main.interrupt(); return 1; });
        try {
            System.out.println("got " + future.get());
        } catch (InterruptedException now) {
            System.out.println("interrupted");
        }
    }
}
