import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** The classes of java.util.concurrent between threads. */
public class Library {
    static void run(Runnable... work) throws InterruptedException {
        Thread[] threads = new Thread[work.length];
        for (int i = 0; i < work.length; i++) (threads[i] = new Thread(work[i])).start();
        for (Thread t : threads) t.join();
    }

    static void semaphore() throws Exception {
        Semaphore s = new Semaphore(1);
        int[] n = {0};
        Runnable r = () -> { try { s.acquire(); n[0]++; s.release(); } catch (InterruptedException e) { } };
        run(r, r, r);
        System.out.println("semaphore " + n[0]);
    }

    static void latch() throws Exception {
        CountDownLatch latch = new CountDownLatch(2);
        AtomicInteger seen = new AtomicInteger();
        run(latch::countDown, latch::countDown, () -> { try { latch.await(); seen.set(1); } catch (InterruptedException e) { } });
        System.out.println("latch " + seen);
    }

    static void barrier() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        int[] n = {0, 0};
        run(() -> { try { n[0] = 1; barrier.await(); n[0] += n[1]; barrier.await(); } catch (Exception e) { throw new RuntimeException(e); } },
            () -> { try { n[1] = 5; barrier.await(); barrier.await(); } catch (Exception e) { throw new RuntimeException(e); } });
        System.out.println("barrier " + n[0]);
    }

    static void map() throws Exception {
        ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
        Runnable r = () -> { for (int i = 0; i < 4; i++) m.merge("k" + i % 2, 1, Integer::sum); };
        run(r, r);
        System.out.println("map " + m);
    }

    static void queue() throws Exception {
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
        AtomicInteger sum = new AtomicInteger();
        run(() -> { q.add(1); q.add(2); }, () -> { q.add(3); Integer x = q.poll(); sum.addAndGet(x == null ? 0 : x); });
        for (Integer x; (x = q.poll()) != null;) sum.addAndGet(x);
        System.out.println("queue " + sum);
    }

    static void blocking(BlockingQueue<Integer> q) throws Exception {
        int[] sum = {0};
        run(() -> { try { for (int i = 1; i < 4; i++) q.put(i); } catch (InterruptedException e) { } },
            () -> { try { for (int i = 1; i < 4; i++) sum[0] += q.take(); } catch (InterruptedException e) { } });
        System.out.println("blocking " + sum[0]);
    }

    static void cow() throws Exception {
        CopyOnWriteArrayList<Integer> l = new CopyOnWriteArrayList<>();
        run(() -> { l.add(1); l.add(2); }, () -> { l.add(3); for (int x : l) if (x > 3) throw new AssertionError(); });
        System.out.println("cow " + l.stream().mapToInt(x -> x).sum());
    }

    static void conditions() throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        Condition ready = lock.newCondition();
        boolean[] flag = {false};
        run(() -> { lock.lock(); try { while (!flag[0]) ready.await(); } catch (InterruptedException e) { } finally { lock.unlock(); } },
            () -> { lock.lock(); try { flag[0] = true; ready.signalAll(); } finally { lock.unlock(); } });
        System.out.println("condition " + flag[0]);
    }

    static void readWrite() throws Exception {
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int[] v = {0, 0};
        Runnable reader = () -> { rw.readLock().lock(); try { if (v[0] != v[1]) throw new AssertionError(); } finally { rw.readLock().unlock(); } };
        run(reader, () -> { rw.writeLock().lock(); try { v[0]++; v[1]++; } finally { rw.writeLock().unlock(); } }, reader);
        System.out.println("rw " + v[0]);
    }

    static void pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) { int n = i; futures.add(pool.submit(() -> n * n)); }
        int sum = 0;
        for (Future<Integer> f : futures) sum += f.get();
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.MINUTES)) { }
        System.out.println("pool " + sum + " " + pool.isTerminated());
    }

    static void completable() throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 3), b = CompletableFuture.supplyAsync(() -> 4);
        System.out.println("future " + a.thenCombine(b, Integer::sum).thenApply(x -> x * 2).get());
    }

    static void exchange() throws Exception {
        SynchronousQueue<String> q = new SynchronousQueue<>();
        String[] got = new String[1];
        run(() -> { try { q.put("x"); } catch (InterruptedException e) { } }, () -> { try { got[0] = q.take(); } catch (InterruptedException e) { } });
        System.out.println("handoff " + got[0]);
    }

    public static void main(String[] args) throws Exception {
        semaphore();
        latch();
        barrier();
        map();
        queue();
        blocking(new LinkedBlockingQueue<>(1));
        blocking(new ArrayBlockingQueue<>(1));
        cow();
        conditions();
        readWrite();
        pool();
        completable();
        exchange();
    }
}
