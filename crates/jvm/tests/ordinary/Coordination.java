import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
public class Coordination {
    static class BoundedBuffer<T> {
        private final Object[] items;
        private int head, tail, count;
        private final Lock lock = new ReentrantLock();
        private final Condition notFull = lock.newCondition(), notEmpty = lock.newCondition();
        BoundedBuffer(int n) {
            items = new Object[n];
        }
        void put(T t) throws InterruptedException {
            lock.lock();
            try {
                while (count == items.length) notFull.await();
                items[tail] = t;
                tail = (tail + 1) % items.length;
                count++;
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }
        @SuppressWarnings("unchecked") T take() throws InterruptedException {
            lock.lock();
            try {
                while (count == 0) notEmpty.await();
                T t = (T) items[head];
                items[head] = null;
                head = (head + 1) % items.length;
                count--;
                notFull.signal();
                return t;
            } finally {
                lock.unlock();
            }
        }
    }
    public static void main(String[] args) throws Exception {
        BoundedBuffer<Integer> b = new BoundedBuffer<>(2);
        Thread p = new Thread(() -> { try { for (int i = 0; i < 5; i++) b.put(i * i); } catch (InterruptedException e) { Thread.currentThread().interrupt(); } }, "producer");
        int[] sum = {0};
        Thread c = new Thread(() -> { try { for (int i = 0; i < 5; i++) sum[0] += b.take(); } catch (InterruptedException e) { } }, "consumer");
        p.start();
        c.start();
        p.join();
        c.join();
        System.out.println("sum " + sum[0]);
        CountDownLatch l = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) new Thread(l::countDown).start();
        l.await();
        System.out.println("latched " + l.getCount());
        Semaphore s = new Semaphore(1);
        System.out.println(s.tryAcquire() + " " + s.tryAcquire() + " " + s.availablePermits());
        ReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        rw.readLock().lock();
        rw.readLock().unlock();
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.writeLock().unlock();
        StampedLock st = new StampedLock();
        long z = st.tryOptimisticRead();
        System.out.println(st.validate(z));
        long w = st.writeLock();
        System.out.println(st.validate(z));
        st.unlockWrite(w);
        try {
            new ReentrantLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("imse " + e.getMessage());
        }
        Exchanger<String> ex = new Exchanger<>();
        Phaser ph = new Phaser(1);
        System.out.println(ph.arrive() + " " + ph.getPhase());
        CyclicBarrier cb = new CyclicBarrier(2, () -> System.out.println("barrier"));
        Thread t = new Thread(() -> { try { cb.await(); } catch (Exception e) { } });
        t.start();
        cb.await();
        t.join();
        DelayQueue<Delayed> dq = new DelayQueue<>();
        System.out.println(dq.poll());
        PriorityBlockingQueue<Integer> pq = new PriorityBlockingQueue<>(List.of(3,1,2));
        System.out.println(pq.take() + pq.peek());
        ScheduledExecutorService ses = Executors.newScheduledThreadPool(1);
        ScheduledFuture<String> f = ses.schedule(() -> "sched", 1, TimeUnit.MILLISECONDS);
        System.out.println(f.get());
        ses.shutdownNow();
        FutureTask<Integer> ft = new FutureTask<>(() -> 6 * 7);
        ft.run();
        System.out.println(ft.get());
        Future<?> bad = Executors.newSingleThreadExecutor(r -> { Thread d = new Thread(r); d.setDaemon(true); return d; }).submit(() -> { throw new IllegalStateException("task"); });
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause().getMessage());
        }
    }
}
