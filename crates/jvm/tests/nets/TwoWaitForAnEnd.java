/** Two threads wait for the end of a third on its `Thread`, the way `join` does. */
class TwoWaitForAnEnd {
    static int done;

    static void awaitEnd(Thread other) {
        synchronized (other) {
            while (other.isAlive()) {
                try {
                    other.wait();
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
        }
        if (done != 1) {
            throw new IllegalStateException("it has ended before its work was done");
        }
    }

    public static void main(String[] arguments) {
        Thread worker = new Thread(() -> done = 1);
        worker.start();
        new Thread(() -> awaitEnd(worker)).start();
        awaitEnd(worker);
    }
}
