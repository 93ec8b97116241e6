//@ switches 2
/** The one notification comes before anybody waits for it. */
public class MissedNotification {
    private boolean ready;

    synchronized void announce() {
        ready = true;
        notifyAll();
    }

    synchronized void await() throws InterruptedException {
        wait(); //~ deadlock
    }

    synchronized void awaitReady() throws InterruptedException {
        while (!ready) {
            wait();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        MissedNotification signal = new MissedNotification();
        new Thread(signal::announce).start();
        if (args.length > 0) {
            signal.awaitReady();
        } else {
            signal.await();
        }
    }
}
