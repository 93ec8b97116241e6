//@ class threads
//@ verdict bug
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A message that comes after an actor has found its box empty, and before it says so, is left in the box. */
public class ActorScheduledTooLate {
    static class Actor implements Runnable {
        private final Queue<Integer> box = new ConcurrentLinkedQueue<>();
        private final ExecutorService pool;
        private volatile boolean scheduled;
        final AtomicInteger sum = new AtomicInteger();

        Actor(ExecutorService pool) {
            this.pool = pool;
        }

        void tell(int message) {
            box.add(message);
            if (!scheduled) {
                scheduled = true;
                pool.execute(this);
            }
        }

        @Override
        public void run() {
            for (Integer message = box.poll(); message != null; message = box.poll()) {
                sum.addAndGet(message);
            }
            scheduled = false;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Actor actor = new Actor(pool);
        actor.tell(1);
        actor.tell(2);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        assert actor.sum.get() == 3; //~ assertion
    }
}
