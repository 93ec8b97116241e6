import java.util.*;

/** Threads whose order does not matter, because they are joined one by one. */
public class SimpleThreads {
    static int total;
    static synchronized void add(int n) { total += n; }

    static class Worker extends Thread {
        final int n;
        Worker(int n) { super("worker-" + n); this.n = n; }
        @Override public void run() { for (int i = 0; i < n; i++) add(i); System.out.println(getName() + " done"); }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 1; i < 4; i++) { Worker w = new Worker(i * 10); w.start(); w.join(); }
        System.out.println(total);
        Thread t = new Thread(() -> System.out.println("lambda in " + Thread.currentThread().getName()));
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getName() + " " + t.isDaemon() + " " + t.getPriority());
        t.start();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive());
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started twice");
        }
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 5);
        local.set(7);
        int[] seen = new int[1];
        Thread other = new Thread(() -> { seen[0] = local.get(); local.set(9); });
        other.start();
        other.join();
        System.out.println(local.get() + " " + seen[0]);
        Object lock = new Object();
        boolean[] ready = {false};
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                while (!ready[0]) try { lock.wait(); } catch (InterruptedException e) { return; }
                System.out.println("woken");
            }
        });
        waiter.start();
        synchronized (lock) { ready[0] = true; lock.notifyAll(); }
        waiter.join();
        Thread.currentThread().interrupt();
        System.out.println(Thread.interrupted() + " " + Thread.interrupted());
        Thread.sleep(1);
        System.out.println(Thread.currentThread().getName() + " " + Thread.currentThread().getThreadGroup().getName());
    }
}
