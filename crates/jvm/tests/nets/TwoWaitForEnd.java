/** Two threads wait for the end of a third on its `Thread`, and one of them is interrupted. */
public class TwoWaitForEnd {
    static final boolean[] ended = new boolean[2];

    static void await(Thread worker, int place) {
        synchronized (worker) {
            try {
                if (worker.isAlive()) {
                    worker.wait();
                }
                ended[place] = !worker.isAlive();
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {});
        Thread first = new Thread(() -> await(worker, 0));
        Thread second = new Thread(() -> await(worker, 1));
        worker.start();
        first.start();
        second.start();
        first.interrupt();
        first.join();
        second.join();
        if (ended[0] && ended[1]) {
            throw new IllegalStateException("both have seen it");
        } else if (ended[0] || !ended[1]) {
            throw new AssertionError("only the first has seen it");
        }
    }
}
