/** A thread interrupts a waiting one while another notifies it: it may learn of both or of one. */
public class InterruptOrNotify {
    static final Object monitor = new Object();
    static String learnt = "";

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait();
                    learnt += "notified";
                    if (Thread.interrupted()) {
                        learnt += " and interrupted";
                    }
                } catch (InterruptedException stopped) {
                    learnt += "interrupted";
                }
            }
            if (learnt.equals("notified and interrupted")) {
                throw new IllegalStateException(learnt);
            }
        });
        waiter.start();
        Thread interrupter = new Thread(waiter::interrupt);
        interrupter.start();
        synchronized (monitor) {
            monitor.notifyAll();
        }
        interrupter.join();
    }
}
