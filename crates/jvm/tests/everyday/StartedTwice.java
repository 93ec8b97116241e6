//@ class threads
//@ verdict bug
/** Two threads start the same one. */
public class StartedTwice {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {});
        Thread starter = new Thread(() -> {
            if (worker.getState() == Thread.State.NEW) worker.start(); //~ exception
        });
        starter.start();
        if (worker.getState() == Thread.State.NEW) worker.start(); //~ exception
        starter.join();
        worker.join();
    }
}
