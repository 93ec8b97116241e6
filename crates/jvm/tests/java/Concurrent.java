import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Classes of java.util.concurrent used by one thread, or by threads whose order does not matter. */
public class Concurrent {
    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.incrementAndGet() + " " + i.getAndAdd(10) + " " + i.compareAndSet(16, 3) + " " + i.updateAndGet(x -> x * 7) + " " + i.accumulateAndGet(4, Math::max));
        AtomicLong l = new AtomicLong();
        l.addAndGet(1L << 40);
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(l + " " + r.compareAndSet("a", "b") + r.get() + " " + r.getAndUpdate(s -> s + "!") + new AtomicBoolean(true).getAndSet(false));
        AtomicIntegerArray array = new AtomicIntegerArray(3);
        array.incrementAndGet(1);
        LongAdder adder = new LongAdder();
        for (int k = 0; k < 10; k++) adder.add(k);
        System.out.println(array + " " + adder.sum());
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        System.out.println(lock.getHoldCount() + " " + lock.isHeldByCurrentThread() + " " + lock.tryLock());
        lock.unlock(); lock.unlock(); lock.unlock();
        System.out.println(lock.isLocked());
        ReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        rw.readLock().unlock();
        Semaphore s = new Semaphore(2);
        s.acquire();
        System.out.println(s.availablePermits() + " " + s.tryAcquire(2));
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        for (int k = 0; k < 100; k++) map.merge("k" + k % 7, k, Integer::sum);
        System.out.println(new TreeMap<>(map) + " " + map.reduceValues(1000, Integer::sum) + " " + map.size());
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>(List.of(1, 2, 3));
        q.remove(2);
        System.out.println(q + " " + q.poll());
        BlockingQueue<Integer> b = new ArrayBlockingQueue<>(2);
        System.out.println(b.offer(1) + " " + b.offer(2) + " " + b.offer(3) + " " + b.take() + b.remainingCapacity());
        LinkedBlockingQueue<String> lb = new LinkedBlockingQueue<>();
        lb.put("x");
        System.out.println(lb.poll() + lb.poll());
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2));
        for (Integer x : cow) cow.add(x + 10);
        System.out.println(cow);
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        for (int k = 20; k > 0; k -= 3) skip.put(k, "v" + k);
        System.out.println(skip + " " + skip.ceilingKey(6));
        CountDownLatch latch = new CountDownLatch(2);
        Thread t = new Thread(() -> { latch.countDown(); latch.countDown(); });
        t.start();
        latch.await();
        System.out.println(latch.getCount());
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> f = pool.submit(() -> 6 * 7);
        System.out.println(f.get() + " " + f.isDone());
        List<Future<Integer>> all = pool.invokeAll(List.of(() -> 1, () -> 2, () -> 3));
        int sum = 0;
        for (Future<Integer> x : all) sum += x.get();
        System.out.println(sum);
        try {
            pool.submit(() -> { throw new IllegalStateException("inside"); }).get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage());
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.SECONDS) + " " + pool.isTerminated());
        CompletableFuture<String> c = CompletableFuture.supplyAsync(() -> 20).thenApply(x -> x + 1).thenCombine(CompletableFuture.completedFuture(2), (x, y) -> x * y + "!");
        System.out.println(c.get());
        CyclicBarrier barrier = new CyclicBarrier(2, () -> System.out.println("barrier"));
        Thread other = new Thread(() -> { try { barrier.await(); } catch (Exception e) { } });
        other.start();
        barrier.await();
        other.join();
        System.out.println(TimeUnit.SECONDS.toMillis(3) + " " + TimeUnit.MILLISECONDS);
        Exchanger<String> none = new Exchanger<>();
        System.out.println(none != null);
    }
}
