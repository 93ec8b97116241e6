import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class ConcurrentUtilities {
    public static void main(String[] a) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(2);
        Future<Integer> f = ex.submit(() -> 42);
        System.out.println(f.get() + " " + f.isDone());
        List<Callable<String>> cs = List.of(() -> "a", () -> "b");
        for (Future<String> x : ex.invokeAll(cs)) System.out.println(x.get());
        ex.shutdown();
        System.out.println(ex.awaitTermination(1, TimeUnit.SECONDS));
        try {
            ex.submit(() -> {});
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ConcurrentHashMap<String,Integer> m = new ConcurrentHashMap<>();
        m.put("a",1);
        m.merge("a",5,Integer::sum);
        System.out.println(m + " " + m.reduceValues(1000,Integer::sum));
        AtomicInteger i = new AtomicInteger();
        i.updateAndGet(x -> x + 5);
        System.out.println(i.getAndIncrement() + " " + i + i.accumulateAndGet(3,Math::max));
        LongAdder la = new LongAdder();
        la.add(5);
        la.increment();
        System.out.println(la.sum());
        AtomicReference<String> r = new AtomicReference<>("x");
        System.out.println(r.compareAndSet("x","y") + r.get());
        CopyOnWriteArrayList<Integer> c = new CopyOnWriteArrayList<>(List.of(1,2));
        for (int x : c) c.add(x+10);
        System.out.println(c);
        ConcurrentSkipListMap<Integer,String> sk = new ConcurrentSkipListMap<>();
        sk.put(3,"c");
        sk.put(1,"a");
        System.out.println(sk + sk.firstEntry().getValue());
        System.out.println(TimeUnit.HOURS.toSeconds(2) + " " + TimeUnit.MILLISECONDS.convert(3,TimeUnit.SECONDS));
        BlockingQueue<Integer> q = new ArrayBlockingQueue<>(2);
        System.out.println(q.offer(1) + "" + q.offer(2) + q.offer(3) + q.poll() + q.remainingCapacity());
        try {
            q.add(5);
            q.add(6);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        CompletableFuture<String> cf = CompletableFuture.completedFuture("v").thenApply(s -> s + "!");
        System.out.println(cf.join() + ThreadLocalRandom.current().nextInt(1));
    }
}
