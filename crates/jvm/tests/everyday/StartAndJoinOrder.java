//@ class races
//@ verdict ok
/** Start and join order everything. */
public class StartAndJoinOrder {
    static int before, inside;

    public static void main(String[] args) throws InterruptedException {
        before = 1;
        Thread worker = new Thread(() -> inside = before + 1);
        worker.start();
        worker.join();
        inside++;
        assert inside == 3 && before == 1;
    }
}
