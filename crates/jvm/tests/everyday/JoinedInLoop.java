//@ class loops
//@ verdict ok
/** A thread is joined with a time limit until it has ended. */
public class JoinedInLoop {
    static int result;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> result = 1);
        other.start();
        while (other.isAlive()) other.join(5);
        assert result == 1;
    }
}
