//@ class threads
//@ verdict bug
/** A group counts its threads while one ends. */
public class GroupCounts {
    public static void main(String[] args) throws InterruptedException {
        ThreadGroup group = new ThreadGroup("g");
        Thread worker = new Thread(group, () -> {});
        worker.start();
        int active = group.activeCount();
        assert active == 1; //~ assertion
        worker.join();
        assert group.activeCount() == 0;
    }
}
