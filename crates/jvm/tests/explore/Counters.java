import java.util.concurrent.atomic.AtomicInteger;

/** Threads that count with an atomic integer. */
public class Counters {
    public static void main(String[] args) throws InterruptedException {
        AtomicInteger counter = new AtomicInteger();
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int number = 0; number < threads.length; number++) {
            threads[number] = new Thread(counter::incrementAndGet);
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(counter.get());
    }
}
