//@ class threads
//@ verdict ok
/** A thread that has been seen to end has done all its work. */
public class EndedBeforeState {
    static int x;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> x = 1);
        worker.start();
        if (!worker.isAlive()) assert x == 1;
        worker.join();
    }
}
