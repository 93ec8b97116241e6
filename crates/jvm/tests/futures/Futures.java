import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Small programs with completable futures; the first argument says which. */
public class Futures {
    static int plain;
    static final StringBuffer TEXT = new StringBuffer();

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "supply": supply(); break;
            case "chain": chain(); break;
            case "chain-async": chainAsync(); break;
            case "combine": combine(); break;
            case "lost-update": lostUpdate(); break;
            case "compose": compose(); break;
            case "failing": failing(); break;
            case "handled": handled(); break;
            case "any": any(); break;
            case "any-order": anyOrder(); break;
            case "either": either(); break;
            case "never": new CompletableFuture<String>().join(); break;
            case "who": who(); break;
            case "help": help(); break;
            case "completers": completers(); break;
            case "timeout": timeout(); break;
            case "or-timeout": orTimeout(); break;
            case "cancel": cancel(); break;
            case "polling": polling(); break;
            case "order": order(); break;
            case "pool": pool(); break;
            case "when-complete": whenComplete(); break;
            case "all": all(); break;
            case "interrupted": interrupted(); break;
            case "external": external(); break;
            case "uncaught": uncaught(); break;
            default: throw new IllegalArgumentException(arguments[0]);
        }
    }

    static String self() {
        return Thread.currentThread().getName().equals("main") ? "main" : "other";
    }

    static void supply() {
        System.out.println(CompletableFuture.supplyAsync(() -> 42).join());
    }

    static void chain() {
        var first = CompletableFuture.supplyAsync(() -> 20);
        System.out.println(first.thenApply(number -> number + 1).thenApply(number -> number * 2).join());
    }

    static void chainAsync() {
        var first = CompletableFuture.supplyAsync(() -> 20);
        var last = first.thenApplyAsync(number -> number + 1).thenApplyAsync(number -> number * 2);
        System.out.println(last.join());
    }

    static void combine() {
        var left = CompletableFuture.supplyAsync(() -> 20);
        var right = CompletableFuture.supplyAsync(() -> 22);
        System.out.println(left.thenCombine(right, Integer::sum).join());
    }

    static void lostUpdate() {
        var left = CompletableFuture.runAsync(() -> { plain++; });
        var right = CompletableFuture.runAsync(() -> { plain++; });
        CompletableFuture.allOf(left, right).join();
        System.out.println(plain);
    }

    static void compose() {
        var first = CompletableFuture.supplyAsync(() -> 20);
        System.out.println(first.thenCompose(n -> CompletableFuture.supplyAsync(() -> n + 1)).join());
    }

    static int fail() {
        throw new IllegalStateException("no");
    }

    static void failing() {
        try {
            CompletableFuture.supplyAsync(() -> fail()).thenApply(n -> n + 1).join();
        } catch (CompletionException failure) {
            System.out.println(failure.getCause().getMessage());
        }
    }

    static void handled() {
        var failing = CompletableFuture.supplyAsync(() -> fail());
        String first = failing.handle((n, failure) -> failure == null ? "fine" : "failed").join();
        System.out.println(first + " " + failing.exceptionally(failure -> 7).join());
    }

    static void any() {
        var left = CompletableFuture.supplyAsync(() -> 1);
        var right = CompletableFuture.supplyAsync(() -> 2);
        System.out.println(CompletableFuture.anyOf(left, right).join());
    }

    /** The first future is completed first, and still the second may be the one that counts. */
    static void anyOrder() {
        var left = new CompletableFuture<Integer>();
        var right = new CompletableFuture<Integer>();
        new Thread(() -> { left.complete(1); right.complete(2); }).start();
        System.out.println(CompletableFuture.anyOf(left, right).join());
    }

    static void either() {
        var left = CompletableFuture.supplyAsync(() -> 1);
        var right = CompletableFuture.supplyAsync(() -> 2);
        System.out.println(left.applyToEither(right, n -> n * 10).join());
    }

    static void who() throws Exception {
        var future = new CompletableFuture<Integer>();
        Thread thread = new Thread(() -> future.complete(5));
        thread.start();
        var done = future.thenAccept(n -> TEXT.append(self()));
        done.join();
        thread.join();
        System.out.println(TEXT);
    }

    /** The one who waits may run one of two stages while the one who completes runs the other. */
    static void help() throws Exception {
        var future = new CompletableFuture<Integer>();
        future.thenAccept(n -> TEXT.append("a" + self() + " "));
        future.thenAccept(n -> TEXT.append("b" + self() + " "));
        Thread thread = new Thread(() -> future.complete(5));
        thread.start();
        future.join();
        thread.join();
        System.out.println(TEXT);
    }

    static void completers() throws Exception {
        var future = new CompletableFuture<Integer>();
        Thread left = new Thread(() -> { if (future.complete(1)) TEXT.append("left "); });
        Thread right = new Thread(() -> { if (future.complete(2)) TEXT.append("right "); });
        left.start();
        right.start();
        left.join();
        right.join();
        System.out.println(TEXT.toString() + future.getNow(0));
    }

    static void timeout() throws Exception {
        var future = new CompletableFuture<Integer>();
        new Thread(() -> future.complete(1)).start();
        try {
            System.out.println(future.get(1, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            System.out.println("late");
        }
    }

    static void orTimeout() {
        var future = new CompletableFuture<Integer>();
        new Thread(() -> future.complete(1)).start();
        try {
            System.out.println(future.orTimeout(1, TimeUnit.SECONDS).join());
        } catch (CompletionException late) {
            System.out.println("late");
        }
    }

    static void cancel() {
        var future = CompletableFuture.supplyAsync(() -> 1);
        boolean cancelled = future.cancel(true);
        try {
            System.out.println(cancelled + " " + future.join());
        } catch (CancellationException expected) {
            System.out.println(cancelled + " cancelled");
        }
    }

    static void polling() {
        var future = CompletableFuture.supplyAsync(() -> 1);
        while (!future.isDone()) {
            Thread.yield();
        }
        System.out.println(future.getNow(0));
    }

    /** Stages run from the last to the first. */
    static void order() {
        var future = new CompletableFuture<Integer>();
        var first = future.thenAccept(n -> TEXT.append("1"));
        first.thenAccept(n -> TEXT.append("a"));
        first.thenAccept(n -> TEXT.append("b"));
        first.thenAccept(n -> TEXT.append("c"));
        future.thenAccept(n -> TEXT.append("2"));
        future.complete(0);
        System.out.println(TEXT);
    }

    static void pool() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        var left = CompletableFuture.supplyAsync(() -> 20, pool);
        var right = CompletableFuture.supplyAsync(() -> 22, pool);
        System.out.println(left.thenCombineAsync(right, Integer::sum, pool).join());
        pool.shutdown();
    }

    static void whenComplete() {
        var future = CompletableFuture.supplyAsync(() -> fail());
        var seen = future.whenComplete((n, failure) -> TEXT.append(failure != null));
        System.out.println(seen.handle((n, failure) -> TEXT.toString()).join());
    }

    static void all() {
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            int number = index;
            futures.add(CompletableFuture.supplyAsync(() -> number));
        }
        CompletableFuture.allOf(futures.toArray(new CompletableFuture[0])).join();
        System.out.println(futures.stream().mapToInt(CompletableFuture::join).sum());
    }

    static void interrupted() throws Exception {
        var future = new CompletableFuture<Integer>();
        Thread main = Thread.currentThread();
        new Thread(() -> { main.interrupt(); future.complete(1); }).start();
        try {
            System.out.println("got " + future.get());
        } catch (InterruptedException now) {
            System.out.println("interrupted");
        }
    }

    /** A stage whose future is completed by somebody else may run or not. */
    static void external() {
        var source = CompletableFuture.supplyAsync(() -> 1);
        var stage = source.thenApply(n -> { TEXT.append("ran "); return n; });
        stage.complete(2);
        source.join();
        System.out.println(stage.join());
    }

    static void uncaught() {
        CompletableFuture.supplyAsync(() -> fail()).join();
    }
}
