//@ class threads
//@ verdict bug
/** All threads are listed while one ends. */
public class StacksOfAll {
    public static void main(String[] args) throws InterruptedException {
        int before = Thread.getAllStackTraces().size();
        Thread other = new Thread(() -> { });
        other.start();
        int more = Thread.getAllStackTraces().size() - before;
        other.join();
        assert more == 1; //~ assertion
    }
}
