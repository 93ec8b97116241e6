//@ class natives
//@ verdict bug
/** Two threads append to one string builder. */
public class BuilderOfTwo {
    static final StringBuilder log = new StringBuilder();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> log.append('b'));
        other.start();
        log.append('a');
        other.join();
        assert log.length() == 2; //~ assertion
    }
}
