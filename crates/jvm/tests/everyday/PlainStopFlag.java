//@ class memory
//@ verdict ok
//@ racy
/** A plain flag stops a worker: it does in sequentially consistent executions. */
public class PlainStopFlag {
    static boolean stop;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            while (!stop) Thread.onSpinWait(); //~ race
        });
        worker.start();
        stop = true; //~ race
        worker.join();
    }
}
