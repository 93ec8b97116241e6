//@ class threads
//@ verdict bug
/** Nobody knows how far a started thread has come. */
public class StateTooEarly {
    static volatile int x;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> x = 1);
        worker.start();
        Thread.State state = worker.getState();
        assert state != Thread.State.TERMINATED; //~ assertion
        worker.join();
    }
}
