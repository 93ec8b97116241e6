//@ class threads
//@ verdict bug
/** A group interrupts its threads. */
public class GroupInterrupted {
    static boolean interrupted;

    public static void main(String[] args) throws InterruptedException {
        ThreadGroup group = new ThreadGroup("group");
        Thread sleeper = new Thread(group, () -> {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        });
        sleeper.start();
        group.interrupt();
        sleeper.join();
        assert !interrupted; //~ assertion
    }
}
