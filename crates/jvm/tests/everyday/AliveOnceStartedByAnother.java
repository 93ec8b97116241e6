//@ class threads
//@ verdict bug
/** Another thread starts the worker: it may not have been started yet, or be alive. */
public class AliveOnceStartedByAnother {
    static final Thread worker = new Thread(() -> { });

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(worker::start);
        other.start();
        boolean alive = worker.isAlive();
        other.join();
        worker.join();
        assert !alive; //~ assertion
    }
}
