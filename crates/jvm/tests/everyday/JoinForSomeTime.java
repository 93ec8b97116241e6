//@ class threads
//@ verdict bug
/** A join with a time limit may come back too early. */
public class JoinForSomeTime {
    static int x;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> x = 1);
        worker.start();
        worker.join(10);
        assert x == 1; //~ assertion
    }
}
