//@ class threads
//@ verdict bug
/** A group counts the threads of its subgroups while they live. */
public class GroupsWithin {
    public static void main(String[] args) throws InterruptedException {
        ThreadGroup outer = new ThreadGroup("outer");
        ThreadGroup inner = new ThreadGroup(outer, "inner");
        Thread one = new Thread(outer, () -> { });
        Thread two = new Thread(inner, () -> { });
        one.start();
        two.start();
        int alive = outer.activeCount();
        one.join();
        two.join();
        assert outer.activeCount() == 0;
        assert alive != 1; //~ assertion
    }
}
