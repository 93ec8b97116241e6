/** One thread that can be interrupted and notified while it waits, sleeps or asks. */
public class Wakened {
    static final Object lock = new Object();
    static int seen;

    static void act(String what) {
        try {
            switch (what) {
                case "w" -> { synchronized (lock) { lock.wait(); } }
                case "t" -> { synchronized (lock) { lock.wait(10); } }
                case "s" -> Thread.sleep(10);
                case "a" -> seen = Thread.interrupted() ? 5 : 6;
            }
            seen += 1;
        } catch (InterruptedException e) {
            seen += 2;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> act(args[0]));
        Thread second = new Thread(() -> { synchronized (lock) { lock.notify(); } });
        first.start();
        second.start();
        first.interrupt();
        first.join();
        System.out.println(seen + " " + first.isInterrupted());
    }
}
