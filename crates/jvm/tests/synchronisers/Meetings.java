import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that meet: in exchangers, in queues without room, in phasers. The arguments say what each does. */
public class Meetings {
    static final Exchanger<String> EXCHANGER = new Exchanger<>();
    static final Phaser PHASER = new Phaser(2);
    static SynchronousQueue<String> queue;
    static volatile int arrived;

    public static void main(String[] arguments) {
        queue = new SynchronousQueue<>(arguments[0].equals("fair"));
        Thread[] threads = new Thread[arguments.length - 1];
        for (int i = 1; i < arguments.length; i++) {
            int number = i;
            Thread first = threads[0];
            threads[i - 1] = new Thread(() -> {
                try {
                    System.out.print(act(arguments[number], "" + number, first) + " ");
                } catch (InterruptedException e) {
                    System.out.print("interrupted ");
                } catch (TimeoutException e) {
                    System.out.print("late ");
                }
            });
            threads[i - 1].start();
        }
    }

    static Object act(String what, String own, Thread first) throws InterruptedException, TimeoutException {
        switch (what) {
            case "exchange": return EXCHANGER.exchange(own);
            case "exchange-timed": return EXCHANGER.exchange(own, 1, TimeUnit.SECONDS);
            case "put": queue.put(own); return "put";
            case "offer": return queue.offer(own);
            case "take": return queue.take();
            case "poll": return queue.poll();
            case "poll-timed": return queue.poll(1, TimeUnit.SECONDS);
            case "arrive": return PHASER.arrive();
            case "leave": return PHASER.arriveAndDeregister();
            case "meet": arrived++; PHASER.arriveAndAwaitAdvance(); return arrived;
            case "await": return PHASER.awaitAdvance(0);
            case "await-interruptibly": return PHASER.awaitAdvanceInterruptibly(0);
            case "await-timed": return PHASER.awaitAdvanceInterruptibly(0, 1, TimeUnit.SECONDS);
            case "end": PHASER.forceTermination(); return "ended";
            case "phase": return PHASER.getPhase();
            case "interrupt": first.interrupt(); return "";
            default: throw new IllegalArgumentException(what);
        }
    }
}
