/** Interrupts reach waiting, sleeping-by-wait and running threads. */
public class Interrupts {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        String[] got = {"none"};
        Thread t = new Thread(() -> {
            synchronized (lock) {
                try { lock.wait(); got[0] = "notified"; } catch (InterruptedException e) { got[0] = "interrupted " + Thread.currentThread().isInterrupted(); }
            }
        });
        t.start();
        t.interrupt();
        t.join();
        System.out.println(got[0]);
        boolean[] flag = {false};
        Thread spinner = new Thread(() -> { java.util.concurrent.locks.LockSupport.park(); flag[0] = true; });
        spinner.start();
        java.util.concurrent.locks.LockSupport.unpark(spinner);
        spinner.join();
        System.out.println(flag[0]);
    }
}
