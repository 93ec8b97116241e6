/** A thread waits for another to be ready; only with an argument does it look first. */
public class MissedNotify {
    boolean ready;

    synchronized void await(boolean careful) throws InterruptedException {
        if (careful) {
            while (!ready) {
                wait();
            }
        } else {
            wait();
        }
    }

    synchronized void announce() {
        ready = true;
        notify();
    }

    public static void main(String[] args) {
        MissedNotify signal = new MissedNotify();
        boolean careful = args.length > 0;
        new Thread(() -> {
            try {
                signal.await(careful);
                System.out.println("ready");
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }, "waiter").start();
        new Thread(signal::announce, "announcer").start();
    }
}
